#!/usr/bin/env bash
# The commands that print analyses: tables, JSON, what is said of wrong command lines. Usage: test_cli_analyses.sh DETENT
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"
mechanisms=$source_dir/mechanisms

# json EXPRESSION: a condition in Python on the object `o` that was printed; nothing to check with is no failure.
json() {
    if command -v python3 >/dev/null; then
        ok "$1" python3 -c "import json, math as m; o = json.load(open('.out', encoding='utf-8')); assert $1"
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
json "max(abs(a - b) for a, b in zip(o['A'][2], [-100, 35])) < 1e-12"
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
code 0 inverse "$mechanisms/screw_jack.yaml" --driven crank --hold
printed "-15.7812 to        38.1332 N m  at rest, held by static friction"
code 0 inverse "$mechanisms/screw_jack.yaml" --driven lift
printed "-inf to            inf N"
code 1 inverse "$source_dir/tests/corpus/good/elastic_couplings.yaml" --driven turn,motor,shoulder,slide
said "inverse dynamics of elastic couplings is not supported yet"
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
head='time,position(pin),velocity(pin),acceleration(pin)'
# its argument is a format
# shellcheck disable=SC2059
table() { printf "$1" >table.csv; }
table "$head,position(pin)\n0,1,1,1,1\n"
code 2 inverse pendulum.yaml --motion table.csv
said "table.csv:1:52: error: column 'position(pin)' is there twice"
table "$head\n"
code 2 inverse pendulum.yaml --motion table.csv
said "the table has no rows"
for empty in '' 'position(pin),velocity(pin),acceleration(pin)\n1,1,1\n' '"ti""me",position(pin)\n0,1\n'; do
    table "$empty"
    code 2 inverse pendulum.yaml --motion table.csv
    said "table.csv:1:1: error: the head of a table was expected, with a column 'time'"
done
table 'time,position(pin,x),velocity(pin),acceleration(pin)\n0,1,1,1\n'
code 2 inverse pendulum.yaml --motion table.csv
said "not all of 'position'"
table "$head,position(rood)\n0,1,1,1,1\n"
code 2 inverse pendulum.yaml --motion table.csv
said "there is no joint 'rood'"
# Names that only begin like those of readings are columns of others.
table "$head,\"position(rod, x\",velocity(,position(pin)s\n0,1,1,1,1,1,1\n"
code 0 inverse pendulum.yaml --motion table.csv
for value in inf nan '' 1e999 0x; do
    table "$head\n0,1,$value,1\n"
    code 2 inverse pendulum.yaml --motion table.csv
    said "table.csv:2:5: error: a finite number was expected, not '$value'"
done
printf 'a\0b' >table.csv
code 2 inverse pendulum.yaml --motion table.csv
said "a table was expected, and not a binary file"
mkdir folder.csv
code 3 inverse pendulum.yaml --motion folder.csv
said "cannot read the table"
# quotes, ends of lines as elsewhere, empty lines, columns of bodies and others: one and the same table
table "$head\n0,1,1,1\n1,1,1,1\n"
code 0 inverse pendulum.yaml --motion table.csv
mv .out plain
for same in "$head\r\n0,1,1,1\r\n\r\n\n1,1,1,1\r\n" \
    '"t","position(pin)","velocity(pin)",acceleration(pin)\n"0",1,1,"1"\n1,1,1,1' \
    "$head,note,\"a \"\"b\"\", c\",position(rod)\n0,1,1,1,x,y,1\n1,1,1,1,,,2\n"; do
    table "$same"
    code 0 inverse pendulum.yaml --motion table.csv
    ok "the same forces" cmp .out plain
done
"$detent" inverse pendulum.yaml --motion - <table.csv >.out 2>.err
exited 0 $? "a table from standard input"
ok "the same forces" cmp .out plain
awk -v head="$head" 'BEGIN {print head; for (k = 0; k < 20000; k++) print k ",0.5,0,0"}' >table.csv
code 0 inverse pendulum.yaml --motion table.csv
ok "a long table" awk -F, 'NR > 2 && ($2 != f || $1 != NR - 2) {exit 1} {f = $2} END {exit NR != 20001}' .out

section "equilibrium"
cat >arm.yaml <<'YAML'
detent: 1
name: arm
gravity: [0, -10, 0]
parameters: {mass: 2, coil: 4}
inputs: {torque: 0}
bodies:
  rod: {mass: mass, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}
  block: {mass: 1}
joints:
  pin: {type: revolute, base: ground, follower: rod, axis: [0, 0, 1], initial: {position: 0.5}}
  slide: {type: prismatic, base: rod, follower: block, axis: [0, 1, 0], spring: {stiffness: 50}}
stiction:
  pin: {external: torque + 0*coil, kinetic: 2, static: coil}
simulation: {end: 1 s}
YAML
code 0 equilibrium arm.yaml
printed "position of rest at t = 0 s, without friction"
printed "stable: growth"
printed "it stays at rest"
code 0 equilibrium arm.yaml --json
json "abs(o['positions'][0]['value']) < 1e-13 and abs(o['positions'][1]['value'] + 0.2) < 1e-13"
json "o['rest']['stability'] == 'stable' and o['rest']['held'] == 0 and o['holds'] is True"
code 0 equilibrium arm.yaml --json --interval torque,coil
json "abs(o['intervals'][0]['low'] + 4) < 1e-12 and abs(o['intervals'][0]['high'] - 4) < 1e-12"
json "o['intervals'][0]['above'] == {'joint': 'pin', 'direction': 1}"
json "abs(o['intervals'][1]['low']) < 1e-12 and o['intervals'][1]['high'] is None"
json "o['intervals'][1]['above']['joint'] is None"
code 0 equilibrium arm.yaml --interval torque,coil
printed "intervals in which nothing moves:"
printed "below 'pin' starts in reverse   above 'pin' starts forward"
code 0 inverse arm.yaml --hold
printed "at rest, held by static friction"
ok "what stiction leaves open" awk '/pin/ && ($4 - $2 - 8)^2 < 1e-8 {n++} END {exit n != 1}' .out
cat >servo.yaml <<'YAML'
detent: 1
name: servo
gravity: [0, -10, 0]
inputs: {wanted: 0.25}
bodies: {rod: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}}
joints: {pin: {type: revolute, base: ground, follower: rod, axis: [0, 0, 1], damping: 1, force: 40*(wanted - position(pin)) + held}}
states: {held: {initial: 0, nominal: 1, derivative: 2*(wanted - position(pin))}}
simulation: {end: 1 s}
YAML
code 0 equilibrium servo.yaml
printed "held"
ok "the state carries the weight" awk '$1 == "held" && ($2 - 10*sin(0.25))^2 < 1e-10 {n++} END {exit n != 1}' .out
code 0 equilibrium servo.yaml --json --at 0.5
json "abs(o['positions'][0]['value'] - 0.25) < 1e-9 and o['states'][0]['name'] == 'held'"
json "o['rest']['stability'] == 'stable'"
code 0 equilibrium arm.yaml --stiction --set coil=9
printed "1 of 1 joints held by static friction"
code 0 equilibrium arm.yaml --stiction --set coil=9 --json
json "o['positions'][0]['value'] == 0.5"
json "abs(o['friction'][0]['value'] - (10 + 2*__import__('math').cos(0.5))*__import__('math').sin(0.5)) < 1e-12"
code 0 equilibrium arm.yaml --at 0.3 --set coil=9 --stiction
printed "at t = 0.3 s"
code 0 equilibrium arm.yaml --hold
printed "held at rest at t = 0 s"
printed "it does not stay at rest"
code 4 equilibrium arm.yaml --hold --interval torque --set coil=9
said "nothing holds 'slide', which has no stiction"
"$detent" equilibrium - --json --interval coil <arm.yaml >.out 2>.err
exited 0 $? "detent equilibrium - <arm.yaml"
json "len(o['intervals']) == 1"
code 1 equilibrium arm.yaml --interval cool
said "no parameter 'cool'"
code 1 equilibrium arm.yaml --interval
said "--interval NAMES"
code 2 equilibrium arm.yaml --interval mass
code 1 equilibrium arm.yaml --hold --stiction
said "--hold and --stiction"
code 1 equilibrium arm.yaml --interval cool --json
json "o['error']['code'] == 'argument'"
code 4 equilibrium "$mechanisms/prismatic_push.yaml"
said "2 N is left over at 'rail'"
code 4 equilibrium "$mechanisms/prismatic_push.yaml" --json
json "o['error']['code'] == 'solver'"
code 1 equilibrium "$mechanisms/block_on_belt.yaml"
said "the motion of 'belt' has velocity"
code 0 equilibrium "$mechanisms/stewart_platform.yaml"
code 1 linearize arm.yaml --interval torque
said "has no option --interval"

section "kinematics"
cat >crank.yaml <<'YAML'
detent: 1
name: crank
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}
  rod: {mass: 2, center_of_mass: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}
  slider: {mass: 1.5}
joints:
  pivot: {type: revolute, base: ground, follower: crank, motion: 1*t^2}
  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}}
  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: {position: 1.1}}
  wrist: {type: revolute, base: slider, follower: rod, closes: true, at: {follower: [0.8, 0, 0]}}
outputs: [position(slide), force(pivot), {twice: 2*position(slide)}]
simulation: {end: 2 s, interval: 0.1 s, rtol: 1e-9}
YAML
code 0 kinematics crank.yaml
said "1 of 3 outputs read forces"
ok "rows" [ "$(wc -l <.out)" = 22 ]
cp .out motion.csv
code 0 kinematics crank.yaml --from 0.5 --to 1.5 --step 0.3 --json --quiet
# the last row is at --to, be that a multiple of --step or not
json "[r[0] for r in o['rows']] == [0.5, 0.8, 1.1, 1.4, 1.5]"
code 0 kinematics crank.yaml --from 0.5 --to 1.4 --step 0.3 --json --quiet
json "[r[0] for r in o['rows']] == [0.5, 0.8, 1.1, 1.4]"
json "[c['unit'] for c in o['columns'][:6]] == ['s', 'rad', 'rad', 'm', 'rad', 'rad/s']"
json "abs(o['rows'][1][1] - 0.64) < 1e-15 and all(abs(r[-1] - 2*r[3]) < 1e-15 for r in o['rows'])"
# what inverse dynamics make of the table is the force of a run
code 0 inverse crank.yaml --motion motion.csv
cp .out forces.csv
"$detent" run crank.yaml -q -o - >run.csv 2>.err
ok "the drive's force" awk -F, 'NR == FNR {if (FNR > 1) u[$1 + 0] = $2; next} FNR > 1 && $NF == 0 {n++; d = u[$1 + 0] - $3; if (d > 1e-6 || d < -1e-6) exit 1} END {exit n < 20}' forces.csv run.csv
code 0 kinematics crank.yaml --outputs twice
ok "one output" [ "$(head -1 .out | awk -F, '{print NF}')" = 14 ]
code 1 kinematics crank.yaml --outputs 'force(pivot)'
said "reads forces, modes, states or works"
code 1 kinematics crank.yaml --outputs 'tvice'
said "did you mean 'twice'"
code 1 kinematics crank.yaml --driven pivot --to 1 --step 1
said "'pivot' has a motion of its own"
code 1 kinematics crank.yaml --from 3
said "time goes from 3 s to 2 s"
code 1 kinematics crank.yaml --step 1e-12
said "rows"
code 1 kinematics crank.yaml --step -1
said "above zero"
code 1 kinematics crank.yaml --at 1
said "has no option --at"
code 1 kinematics "$mechanisms/slider_crank.yaml"
said "motions do not decide how 'pin' moves"
code 0 kinematics "$mechanisms/slider_crank.yaml" --driven pivot --from 0 --to 6 --step 0.5 --quiet --json
json "len(o['rows']) == 13 and all(r[5] == 1 for r in o['rows'])"
code 0 kinematics "$mechanisms/slider_crank.yaml" --driven pivot --from 6 --to 0 --step 0.5 --quiet --json
json "all(r[5] == -1 for r in o['rows']) and o['rows'][-1][1] == 0"
code 1 kinematics "$mechanisms/slider_crank.yaml" --driven pivot
said "--to and --step say how far 'pivot' moves"
code 1 kinematics "$mechanisms/slider_crank.yaml" --driven pivto --to 1 --step 1
said "did you mean 'pivot'"
code 1 kinematics "$mechanisms/slider_crank.yaml" --driven slide.p1 --to 3 --step 0.1 --json
json "'position(slide.p1)' in o['error']['message'] and o['exit_code'] == 1"
sed 's/motion: 1\*t^2/initial: {position: 1}/; s/initial: {position: 1.1}/motion: "1 + 0.15*t"/' crank.yaml >far.yaml
code 1 kinematics far.yaml
said "at t = 0.7 s the loops cannot be closed at these positions (of 'slide'"
said "dead centre"

section "assemble"
cat >bar.yaml <<'YAML'
detent: 1
name: four-bar
gravity: [0, 0, 0]
parameters: {span: 0.9}
bodies:
  crank: {mass: 1, inertia: [0.01, 0.1, 0.1]}
  rod: {mass: 1, inertia: [0.01, 0.1, 0.1]}
  rocker: {mass: 1, inertia: [0.01, 0.1, 0.1]}
joints:
  a: {type: revolute, base: ground, follower: crank, initial: {position: 1, velocity: 2, priority: exact}}
  b: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}, initial: {position: 0}}
  d: {type: revolute, base: ground, follower: rocker, at: {base: [span, 0, 0]}, initial: {position: 1}}
  c: {type: revolute, base: rocker, follower: rod, at: {base: [0.6, 0, 0], follower: [0.8, 0, 0]}}
simulation: {end: 1 s}
YAML
code 0 assemble bar.yaml
printed "position(a)  exact"
printed "the loop that 'c' closes is open most"
printed "moved most"
code 0 assemble bar.yaml --json
json "o['positions'][0] == {'name': 'position(a)', 'unit': 'rad', 'priority': 'exact', 'asked': 1, 'value': 1}"
json "o['velocities'][0]['value'] == 2 and o['residual']['loop'] == 'c' and o['residual']['gap'] < 1e-15"
json "o['moved_most']['change'] > 0.1 and o['iterations'] > 2"
code 0 assemble bar.yaml --write closed.yaml --quiet
ok "the copy has a section" grep -q '^initial:$' closed.yaml
ok "the rest stays" diff bar.yaml <(sed '/^initial:$/,$d' closed.yaml)
code 0 assemble closed.yaml --write again.yaml --json
json "o['iterations'] == 0 and all(r['asked'] == r['value'] for r in o['positions'] + o['velocities'])"
ok "written twice it is the same" cmp closed.yaml again.yaml
{ echo '# first'; sed -n '/^initial:$/,$p' closed.yaml; echo '# of the next'; cat bar.yaml; } >moved.yaml
code 0 assemble moved.yaml --write moved.yaml
ok "a section is replaced" [ "$(grep -c '^initial:$' moved.yaml)" = 1 ]
ok "in its place" [ "$(sed -n 2p moved.yaml)" = initial: ]
code 0 check moved.yaml
"$detent" run closed.yaml -q -o - >.out 2>.err
exited 0 $? "a run of the copy"
code 2 assemble bar.yaml --set span=5
code 1 assemble bar.yaml --write
said "--write PATH"
"$detent" assemble - --write x.yaml <bar.yaml >.out 2>.err
exited 1 $? "--write of standard input"
said "option --write needs a file"
code 3 assemble bar.yaml --write missing/x.yaml
said "cannot write missing/x.yaml"
sed 's/position: 1}/position: 1, priority: exact}/' bar.yaml >both.yaml
code 2 assemble both.yaml
said "both.yaml:10:100: error: exact initial positions cannot all be had: 'a' (10:100), 'd' (12:"
said "the loop that joint 'c' closes stays"
code 2 assemble both.yaml --write x.yaml --json
json "o['error']['code'] == 'model' and o['error']['line'] == 10"
ok "nothing is written" not test -e x.yaml
sed 's/span: 0.9/span: 5/' bar.yaml >open.yaml
code 2 assemble open.yaml
said "moved most, by"
echo "{detent: 1, gravity: [0, 0, 0], bodies: {a: {mass: 1}}, joints: {j: {type: prismatic, base: ground, follower: a}}}" >flow.yaml
code 2 assemble flow.yaml --write x.yaml
said "flow.yaml:1:2: error: initial values can be written only into a file whose sections begin in column 1"
cat >spin.yaml <<'YAML'
detent: 1
gravity: [0, 0, 0]
bodies: {top: {mass: 1, inertia: [1, 2, 3]}}
joints: {ball: {type: spherical, base: ground, follower: top, initial: {position: {axis: [1, 2, 3], angle: 40 deg}, velocity: [1, 0, 2]}}}
YAML
code 0 assemble spin.yaml --write spun.yaml --json
cp .out first
code 0 assemble spun.yaml --json
json "[r['value'] for r in o['positions']] == [r['value'] for r in json.load(open('first'))['positions']]"

code 0 assemble "$mechanisms/four_bar.yaml" --branches --keep main
printed "2 assemblies found"
code 0 assemble "$mechanisms/slider_crank.yaml" --branches --keep pivot --json
json "len(o['assemblies']) == 2 and o['complete'] and o['rarest'] > 0 and len(o['columns']) == 4"
code 1 assemble "$mechanisms/slider_crank.yaml" --branches
said "what is kept does not decide where"
code 1 assemble "$mechanisms/slider_crank.yaml" --keep pivot
said "option --keep goes with --branches"
code 1 assemble "$mechanisms/slider_crank.yaml" --branches --keep pivto
said "did you mean 'pivot'"

section "range"
code 0 range bar.yaml --driven a
printed "it turns all the way round"
printed "ratios dq/dq(a)"
code 0 range bar.yaml --driven d
printed "(dead centre)"
printed "inf"
code 0 range bar.yaml --driven a --json
json "o['turns'] is True and o['start'] == 1 and o['driven'] == 'a' and o['low']['end'] == 'interval'"
# the cosine law
json "abs(o['joints'][2]['low']['value'] - (m.pi - m.acos((0.81 + 0.36 - 1.21)/(2*0.9*0.6)))) < 1e-9"
json "abs(o['joints'][2]['high']['value'] - (m.pi - m.acos((0.81 + 0.36 - 0.25)/(2*0.9*0.6)))) < 1e-9"
code 0 range bar.yaml --driven d --json
json "o['high']['end'] == 'dead_centre' and o['joints'][0]['ratio_high'] == {'value': None, 'unbounded': True, 'at': o['high']['value']}"
code 0 range bar.yaml --driven a --from 0.5 --to 1.5 --set span=0.8 --json
json "o['low'] == {'value': 0.5, 'end': 'interval'} and o['high']['value'] == 1.5"
code 0 range "$mechanisms/slider_crank.yaml" --driven pivot --quiet
cat >stopped.yaml <<END
detent: 1
gravity: [0, -9.81, 0]
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  a: {type: revolute, base: ground, follower: a}
  b: {type: revolute, base: ground, follower: b, stops: {lower: {at: -2}, upper: {at: 3}}}
couplings: {g: {type: gear, joints: [b, a], ratio: 2}}
END
code 0 range stopped.yaml --driven a
printed "to -1 rad (lower stop of 'b') and 1.5 rad (upper stop of 'b')"
code 0 range stopped.yaml --driven a --to 1 --from -2 --json
json "o['low']['stop'] == {'joint': 'b', 'side': 'lower'} and o['high'] == {'value': 1, 'end': 'interval'}"
code 1 range stopped.yaml --driven a --from 2 --to 3
said "the joint 'b' is at 4, beyond its upper stop, at 3"
code 1 kinematics stopped.yaml --driven a --to 2 --step 0.5
said "with 'a' at 2 the joint 'b' is at 4, beyond its upper stop, at 3"
sed 's/gear, joints: \[b, a\], ratio: 2/cam, cam: a, follower: b, law: position(a) + 5/;
    s/follower: a}/follower: a, initial: {priority: exact, position: 0}}/' stopped.yaml >far.yaml
code 0 assemble far.yaml
printed "is beyond its upper stop, at 3 rad: no run starts here"
code 0 assemble far.yaml --json
json "o['beyond_stop'] == {'joint': 'b', 'side': 'upper'}"
code 1 range bar.yaml
said "option --driven NAME is missing"
code 1 range bar.yaml --driven e
said "the mechanism has no joint 'e'"
code 1 range bar.yaml --driven a --from 2 --to 1
said "the interval from 2 to 1 is empty"
code 1 range bar.yaml --driven a --step 1
said "has no option --step"
code 1 range bar.yaml --driven d --from 5 --to 6 --json
json "o['error']['code'] == 'argument' and 'd' in o['error']['message']"
code 1 range crank.yaml --driven pivot
said "'pivot' cannot be driven: it has a motion of its own"
sed 's/motion: 1\*t^2/initial: {position: 0, priority: exact}/' crank.yaml >straight.yaml
code 4 range straight.yaml --driven slide
said "'slide' stands at a dead centre"
code 2 range both.yaml --driven a

finish
