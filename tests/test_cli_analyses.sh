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

section "inverse"
cat >pendulum.yaml <<'YAML'
detent: 1
name: pendulum
gravity: [0, -9.81, 0]
bodies: {rod: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}}
joints: {pin: {type: revolute, base: ground, follower: rod, axis: [0, 0, 1], force: 3*sin(5*t), initial: {position: 0.4}}}
outputs: [position(pin), velocity(pin), acceleration(pin)]
simulation: {end: 2 s, interval: 0.05 s}
YAML
"$detent" run pendulum.yaml -q -o - >motion.csv 2>.err
code 0 inverse pendulum.yaml --motion motion.csv
ok "the torque comes back" awk -F, 'NR > 1 {d = $2 - 3*sin(5*$1); if (d > 1e-9 || d < -1e-9 || $2 != $3) exit 1} END {exit NR < 40}' .out
code 0 inverse pendulum.yaml --motion motion.csv --json
json "len(o['rows']) == 41 and o['drives'][0]['name'] == 'force(pin)'"
code 0 inverse "$mechanisms/z1_arm.yaml" --hold
printed "at rest, held by static friction"
code 0 inverse "$mechanisms/z1_arm.yaml" --hold --json
json "all(a < b for a, b in o['rows'][0]['forces'])"
code 0 inverse "$mechanisms/slider_crank.yaml" --hold --driven pivot --json
json "len(o['drives']) == 1"
code 1 inverse "$mechanisms/slider_crank.yaml" --hold
said "--driven NAMES is missing"
code 1 inverse "$mechanisms/slider_crank.yaml" --driven pivott
said "did you mean 'pivot'"
code 1 inverse "$mechanisms/slider_crank.yaml" --driven pivot,pin
said "1 freedoms have to be driven"
printf 'time,position(pivot),velocity(pivot),acceleration(pivot)\n0,1.5,0,0\n1,3.5,2,0\n2,6,2,1\n' >crank.csv
code 0 inverse "$mechanisms/slider_crank.yaml" --motion crank.csv
ok "a row for each" [ "$(wc -l <.out)" = 4 ]
code 1 inverse pendulum.yaml --motion motion.csv --at 1
said "the table of --motion tells times"
code 3 inverse pendulum.yaml --motion missing.csv
printf 'time,position(pin),velocity(pin)\n0,1,1\n' >bad.csv
code 2 inverse pendulum.yaml --motion bad.csv
said "bad.csv:1:1: error: joint 'pin' has columns, but not all of 'acceleration'"
printf 'time,position(pin),velocity(pin),acceleration(pin)\n0,1,1,1\n0,1,x,1\n' >bad.csv
code 2 inverse pendulum.yaml --motion bad.csv
said "bad.csv:3:5: error: a finite number was expected, not 'x'"
printf 'time,position(pni),velocity(pni),acceleration(pni)\n0,1,1,1\n' >bad.csv
code 2 inverse pendulum.yaml --motion bad.csv
said "did you mean 'pin'"
printf 'time,other\n0,1\n' >bad.csv
code 1 inverse pendulum.yaml --motion bad.csv
said "has no columns of joint 'pin'"
printf 'time,position(pin),velocity(pin),acceleration(pin)\n0,1,1\n' >bad.csv
code 2 inverse pendulum.yaml --motion bad.csv
said "3 fields, and the head has 4 columns"

finish
