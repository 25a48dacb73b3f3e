#!/usr/bin/env bash
# detent compare: the table, its files, what is said of wrong command lines and of laws that are refused. Usage: test_cli_compare.sh DETENT
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"

# json EXPRESSION: a condition in Python on the object `o` that was printed; `run` is its runs by name. Nothing to check with is no failure.
json() {
    if command -v python3 >/dev/null; then
        ok "$1" python3 -c "import json; o = json.load(open('.out', encoding='utf-8')); run = {r['name']: r for r in o['runs']}; assert $1"
    fi
}

# Pulled by 1 N a second: it breaks away at 5 N, after 5 s.
cat >pulled.yaml <<'YAML'
detent: 1
name: pulled
gravity: [0, 0, 0]
parameters: {pull: 1 N/s}
bodies: {a: {mass: 2}, b: {mass: 1}}
joints:
  slide: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}
  other: {type: prismatic, base: ground, follower: b, axis: [0, 1, 0], friction: {law: sign, coulomb: 1}}
  free: {type: prismatic, base: b, follower: c, axis: [0, 0, 1]}
stiction: {slide: {kinetic: 4, static: 5, external: pull*t}}
outputs: [position(slide), mode(slide), {pull: pull*t}]
simulation: {end: 6 s}
YAML
sed -i 's/b: {mass: 1}}/b: {mass: 1}, c: {mass: 1}}/' pulled.yaml

section "the table"
code 0 compare pulled.yaml --laws none,coulomb,hyperviscous,stiction --joints slide
printed "pulled: friction laws, from 0 s to 6 s"
printed "first moved"
code 0 compare pulled.yaml --laws none,sign,stiction --joints slide --command pull --moved 1e-6 --interval 1e-3 --json
json "[r['name'] for r in o['runs']] == ['none', 'sign', 'stiction'] and o['reference'] == 'stiction'"
# x = (t - 4)^3/12 with sign; from 5 s on (t - 5)^2/4 + (t - 5)^3/12 with stiction
json "abs(run['sign']['joints'][0]['command'] - 4 - 12e-6**(1/3)) < 2e-3 and abs(run['stiction']['joints'][0]['command'] - 5.002) < 1e-3"
json "abs(run['sign']['joints'][0]['delay'] - 4 - 12e-6**(1/3) + 5.002) < 3e-3 and run['stiction']['joints'][0]['delay'] == 0"
json "run['stiction']['joints'][0]['apart'] == 0 and run['none']['joints'][0]['apart'] > 1"
json "all(r['energy_error'] < 1e-6 and r['steps'] > 0 and r['cpu_ratio'] > 0 for r in o['runs'])"
json "abs(run['none']['joints'][0]['end'] - 18) < 1e-5"

section "rest and creep"
code 0 compare pulled.yaml --laws stiction,hyperviscous --joints slide --set 'pull=0.5 N/s' --velocity 0.1 --json
json "run['stiction']['joints'][0]['rest_since'] == 0 and run['stiction']['joints'][0]['creep'] == 0"
json "run['hyperviscous']['joints'][0]['rest_since'] is None and abs(run['hyperviscous']['joints'][0]['creep'] - 0.07) < 0.01"

section "joints and the reference"
code 0 compare pulled.yaml --laws sign --json
json "[j['joint'] for j in o['runs'][0]['joints']] == ['slide', 'other']"
json "[r['name'] for r in o['runs']] == ['sign', 'stiction']"
code 0 compare pulled.yaml --laws sign@erk,sign --joints other --json
json "run['sign@erk']['settings']['integrator'] == 'erk' and run['sign']['settings']['integrator'] == 'ida'"
"$detent" compare - --laws none --joints slide <pulled.yaml >.out 2>.err
exited 0 $? "from standard input"
printed "pulled: friction laws"

section "keys"
code 0 compare pulled.yaml --laws coulomb,dahl --joints slide --law-key coulomb=3 --law-key stiffness=1e4 --command pull --moved 1e-3 --json
json "abs(run['coulomb']['joints'][0]['command'] - 3 - 12e-3**(1/3)) < 1e-2"
code 0 compare pulled.yaml --laws coulomb,dahl --joints slide --stretch 1e-3 --json
json "'error' not in run['dahl']"

section "files"
code 0 compare pulled.yaml --laws none,stiction -o results
ok "a table" grep -q '^time,position(slide),mode(slide),pull,event$' results/pulled.none.csv
ok "all rows" [ "$(wc -l <results/pulled.none.csv)" -gt 1000 ]
ok "a plot" grep -q '<path' results/pulled.slide.svg
ok "a plot of the other" grep -q '</svg>' results/pulled.other.svg
ok "no more files" [ "$(find results -type f | wc -l)" -eq 4 ]
if command -v python3 >/dev/null; then
    ok "the plot is XML" python3 -c 'import xml.dom.minidom as x; x.parse("results/pulled.slide.svg")'
fi
touch file
code 3 compare pulled.yaml --laws none -o file/
said "cannot make the directory"

section "records"
code 1 compare pulled.yaml --laws none --record
said "option --record: --output is missing"
"$detent" compare pulled.yaml --laws none,hyperviscous@erk,stiction -o records --record >.out 2>.err
if grep -qF 'this build of detent has no recording' .err; then
    echo "skipped: records need NetCDF and zlib"
else
    ok "a record of each" [ "$(find records -name 'pulled.*.nc' | wc -l)" -eq 3 ]
    ok "the same tables" cmp records/pulled.stiction.csv results/pulled.stiction.csv
    for law in none hyperviscous@erk stiction; do
        code 0 outputs "records/pulled.$law.nc" 'position(slide)' -o more.csv
        ok "as in the table of $law" diff <(cut -d, -f1,2 "records/pulled.$law.csv") <(cut -d, -f1,2 more.csv)
    done
    # each has the mechanism with its law
    code 0 outputs records/pulled.hyperviscous@erk.nc 'friction(slide)'
    ok "the law's friction" grep -qE '^6,-4(\.0*)?,0$' .out
    code 0 report records/pulled.none.nc records/pulled.hyperviscous@erk.nc records/pulled.stiction.nc -o laws.html
    ok "the story of stiction" grep -qF 'search at t = ' laws.html
    (ulimit -f 60 && "$detent" compare pulled.yaml --laws sign,stiction -o full --record >.out 2>.err)
    exited 3 $? "a disk that is full"
    ok "it is said once" [ "$(grep -cF 'cannot write full/pulled.sign' .err)" = "$(sort -u .err | grep -cF 'cannot write full/pulled.sign')" ]
    ok "no record is called finished" [ "$(find full -name 'pulled.s*.nc')" = "" ]
fi

section "laws that are refused leave the others alone"
code 0 compare pulled.yaml --laws none,dahl --joints slide --law-key coulomb=0 --json
json "\"needs a 'stiffness'\" in run['dahl']['error']['message'] and 'error' not in run['none']"
code 0 compare pulled.yaml --laws none,dahl --joints slide --law-key coulomb=0
printed "needs a 'stiffness'"
sed 's/kinetic: 4, static: 5/kinetic: 4, forward: -5, reverse: 6/' pulled.yaml >lopsided.yaml
code 2 compare pulled.yaml --laws dahl,stiction --joints slide --law-key breakaway=1
said "below the Coulomb friction"
code 0 compare lopsided.yaml --laws coulomb,stiction --joints slide
printed "differ from one direction to the other"

section "mistakes"
code 1 compare pulled.yaml --laws none,lugr
said "did you mean 'lugre'?"
code 1 compare pulled.yaml --laws none@idda
said "did you mean 'ida'?"
code 1 compare pulled.yaml --joints slid
said "did you mean 'slide'?"
code 1 compare pulled.yaml --joints free
said "the file gives no friction to a joint 'free'"
code 1 compare pulled.yaml --command pul
said "did you mean 'pull'?"
code 1 compare pulled.yaml --end -1
said "the run starts at 0 s only"
code 1 compare pulled.yaml --law-key coulomb
said "is not NAME=VALUE"
code 1 compare pulled.yaml --laws none --set pul=3
said "did you mean 'pull'?"
code 1 compare pulled.yaml --at 3
said "has no option --at"
code 3 compare missing.yaml
sed '/friction: /s/, friction: {[^}]*}//; /^stiction/d; s/, mode(slide)//' pulled.yaml >smooth.yaml
code 1 compare smooth.yaml
said "no joint of the mechanism has friction"
code 1 compare pulled.yaml --laws none,lugr --json
ok "JSON of a failure" valid_json .out

finish
