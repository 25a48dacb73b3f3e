#!/usr/bin/env bash
# The commands that print analyses: tables, JSON, what is said of wrong command lines. Usage: test_cli_analyses.sh DETENT
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"
mechanisms=$source_dir/mechanisms

# json EXPRESSION: a condition in Python on the object `o` that was printed; nothing to check with is no failure.
json() {
    if command -v python3 >/dev/null; then
        ok "$1" python3 -c "import json; o = json.load(open('.out', encoding='utf-8')); assert $1"
    fi
}

cat >masses.yaml <<'YAML'
detent: 1
name: two masses
gravity: [0, 0, 0]
parameters: {stiffness: 50}
inputs: {push: 0}
bodies: {a: {mass: 2}, b: {mass: 3}}
joints:
  first: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], spring: {stiffness: stiffness}}
  second: {type: prismatic, base: a, follower: b, axis: [1, 0, 0], spring: {stiffness: 70}}
loads: {pull: {body: b, force: [push, 0, 0]}}
outputs: [position(first), force(second), "position(b, x)"]
YAML

section "linearize"
code 0 linearize masses.yaml
printed "linear model at t = 0 s"
printed "x4   velocity(second)"
printed "damping ratio"
code 0 linearize masses.yaml --json --set stiffness=200
json "o['A'][2][:2] == [-100.0, 35.0]"
json "abs(o['B'][3][0] - 1/3) < 1e-15"
json "len(o['eigenvalues']) == 4 and len(o['C']) == 3"
code 0 linearize masses.yaml --json --outputs 'position(b, x), position(first)'
json "o['C'] == [[1, 1, 0, 0], [1, 0, 0, 0]]"
code 1 linearize masses.yaml --outputs 'force(secund)'
said "did you mean 'force(second)'"
code 1 linearize masses.yaml --outputs 'force(secund)' --json
json "o['error']['code'] == 'argument' and o['exit_code'] == 1"
code 1 linearize masses.yaml --at -1
said "the run starts at 0 s"
code 1 linearize masses.yaml --end 3
said "has no option --end"
code 0 linearize "$mechanisms/slider_crank.yaml" --at 2.3 --json
json "o['time'] == 2.3 and len(o['states']) == 2"
code 0 linearize "$mechanisms/lead_screw.yaml" --at 0.6
printed "nothing moves in these modes"

finish
