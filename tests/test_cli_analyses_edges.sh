#!/usr/bin/env bash
# What analyses print of joints that are not like most: rotations with four coordinates, motions, welds, states of all units; and what they say
# of files that cannot be written, runs that end early, names that are none. Usage: test_cli_analyses_edges.sh DETENT
# Single quotes hold awk programs.
# shellcheck disable=SC2016
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"

# json EXPRESSION: a condition in Python on the object `o` that was printed; nothing to check with is no failure.
json() {
    if command -v python3 >/dev/null; then
        ok "$1" python3 -c "import json, math as m; o = json.load(open('.out', encoding='utf-8')); assert $1"
    fi
}
once() { ok "said once: $1" [ "$(grep -cF -- "$1" .err)" = 1 ]; }

# A ball joint on a base that turns, with a mark glued on, beside a plate on a rail.
cat >turret.yaml <<'YAML'
detent: 1
name: turret
gravity: [0, -10, 0]
inputs: {wind: 0}
bodies:
  base: {mass: 1, inertia: [1, 1, 1]}
  ball: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}
  plate: {mass: 1}
  mark: {mass: 0.1, inertia: [0.1, 0.1, 0.1]}
joints:
  turn: {type: revolute, base: ground, follower: base, axis: [0, 1, 0], motion: "0.5*t"}
  socket: {type: spherical, base: base, follower: ball}
  rail: {type: prismatic, base: ground, follower: plate, axis: [1, 0, 0], spring: {stiffness: 4}, damping: 2}
  glue: {type: weld, base: ball, follower: mark}
states:
  way: {derivative: velocity(rail), initial: 0 m, nominal: 1 m}
  level: {derivative: 1 - level, initial: 0, nominal: 1}
loads: {blow: {body: plate, force: [wind, 0, 0]}}
simulation: {end: 1, interval: 0.25}
YAML
# Half a turn of the axle turns the ball joint that closes the loop as far.
cat >axle.yaml <<'YAML'
detent: 1
name: axle
gravity: [0, -10, 0]
parameters: {still: 0}
bodies: {bob: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}}
joints:
  axle: {type: revolute, base: ground, follower: bob, motion: "if(still, 0.5, 0.5*t)"}
  socket: {type: spherical, base: ground, follower: bob, closes: true}
simulation: {end: 2, interval: 1}
YAML
cat >ball.yaml <<'YAML'
detent: 1
name: ball
gravity: [0, -10, 0]
bodies: {bob: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}}
joints: {socket: {type: spherical, base: ground, follower: bob, initial: {position: {axis: [0, 0, 1], angle: 0.3}}}}
YAML

section "assemble"
code 0 assemble turret.yaml
ok "a motion has no priority" grep -qE '^  velocity\(turn\) +motion +0\.5 +0\.5 +0 rad/s$' .out
ok "a quaternion has no unit" grep -qE '^  position\(socket, w\) +free +1 +1 +0 $' .out
code 0 assemble turret.yaml --json
json "o['positions'][0]['priority'] == 'motion' and o['positions'][1] == {'name': 'position(socket, w)', 'unit': '', 'priority': 'free', 'asked': 1, 'value': 1}"
code 0 assemble turret.yaml --write written.yaml --quiet
ok "neither motion nor weld has an initial value" [ "$(sed -n '/^initial:$/,$p' written.yaml | cut -d: -f1 | tr -d '\n')" = "initial  socket  rail" ]
code 0 check written.yaml
# Nothing to write: no section. No end of line at the end of the file: the section begins a line of its own.
sed '/socket:/d; s/still: 0/still: 1/' axle.yaml >motion.yaml
code 0 assemble motion.yaml --write written.yaml --quiet
ok "a section of nothing is none" cmp motion.yaml written.yaml
printf '%s' "$(cat ball.yaml)" >open.yaml
code 0 assemble open.yaml --write written.yaml --quiet
ok "a line of its own" [ "$(sed -n '/^initial:$/,$p' written.yaml | wc -l)" = 2 ]
code 0 assemble written.yaml --json
json "abs(o['positions'][3]['value'] - m.sin(0.15)) < 1e-15 and o['iterations'] == 0"
mkdir folder
code 3 assemble ball.yaml --write folder
once "cannot write folder: Is a directory"
code 3 assemble ball.yaml --write missing/copy.yaml --json
json "'cannot write missing/copy.yaml' in o['error']['message'] and o['exit_code'] == 3"

section "kinematics"
code 0 kinematics axle.yaml --json
json "len(o['columns']) == 14 and o['columns'][2] == {'name': 'position(socket, w)', 'unit': ''}"
json "all(abs(r[2] - m.cos(r[0]/4)) < 1e-14 and abs(r[5] - m.sin(r[0]/4)) < 1e-14 and abs(r[9] - 0.5) < 1e-14 for r in o['rows'])"
code 0 kinematics axle.yaml
ok "the same names in a table" [ "$(head -n 1 .out | grep -o 'socket' | wc -l)" = 10 ]
code 1 kinematics axle.yaml --driven socket --to 1 --step 1
said "'socket' is neither revolute nor prismatic"
code 1 kinematics turret.yaml --driven rail --to 1
said "--to and --step say how far 'rail' moves"
code 1 kinematics axle.yaml --outputs ' , none'
said "the mechanism has no output ''"

section "inverse"
head='time,"position(socket, w)","position(socket, x)","position(socket, y)","position(socket, z)","velocity(socket, x)","velocity(socket, y)","velocity(socket, z)","acceleration(socket, x)","acceleration(socket, y)"'
# One radian about z: m g l sin(1) holds it.
printf '%s,"acceleration(socket, z)"\n0,0.8775825618903728,0,0,0.479425538604203,0,0,0,0,0,0\n' "$head" >table.csv
code 0 inverse ball.yaml --motion table.csv
ok "the weight's torque" awk -F, 'NR == 2 && ($6 - 10*sin(1))^2 < 1e-24 && $6 == $7 {n++} END {exit n != 1}' .out
code 1 inverse turret.yaml --motion table.csv
said "the table has no columns of joint 'rail'"
code 1 inverse ball.yaml --motion table.csv --hold
said "option --hold: the table of --motion tells times and states"
printf '%s,other\n0,1,0,0,0,0,0,0,0,0,0\n' "$head" >table.csv
code 2 inverse ball.yaml --motion table.csv
said "table.csv:1:1: error: joint 'socket' has columns, but not all of 'acceleration'"
printf '%s,"acceleration(socket, z)"\n0,1,0,0,0,0,0,0,0,0,x\n' "$head" >table.csv
"$detent" inverse ball.yaml --motion - <table.csv >.out 2>.err
exited 2 $? "a bad table from standard input"
said "<stdin>:2:21: error: a finite number was expected, not 'x'"
code 0 inverse turret.yaml
printed "turret: forces of the drives at t = 0 s"
ok "it hangs at rest: no force" awk '/force\(socket/ && ($3)^2 < 1e-20 {n++} END {exit n != 3}' .out
# Past the end of the file's own run.
code 0 inverse turret.yaml --at 2 --json
json "o['time'] == 2 and [d['unit'] for d in o['drives']] == ['N m'] * 4 + ['N']"

section "linearize"
code 0 linearize turret.yaml
ok "a state with a unit" grep -qE '^  x9 +way +0 m +rate +-?0 \(m\)/s$' .out
ok "one without" grep -qE '^  x10 +level +0 +rate +1 1/s$' .out
code 0 linearize turret.yaml --json
json "[s['unit'] for s in o['states'][7:]] == ['m/s', 'm', ''] and o['B'][7] == [1]"

section "equilibrium"
code 0 equilibrium ball.yaml --json
json "[p['unit'] for p in o['positions']] == [''] * 4 and abs(o['positions'][3]['value']) < 1e-13"
json "o['rest']['stability'] == 'indifferent' and abs(o['rest']['frequency']**2 - 10/0.6) < 1e-6"
code 0 equilibrium axle.yaml --set still=1
printed "stable: nothing can move"
code 0 equilibrium axle.yaml --set still=1 --json
json "o['rest']['growth'] is None and o['rest']['frequency'] is None and o['rest']['residual'] == 0"

sed '/^states/,/^  level/d; s/, motion: "0.5\*t"//' turret.yaml >hanging.yaml
code 0 equilibrium hanging.yaml --hold
ok "what holds by itself has no friction to speak of" not grep -q 'friction' .out
code 0 equilibrium hanging.yaml --hold --json
json "o['rest'] is None and o['holds'] is True and o['friction'] == []"

section "range"
code 1 range ball.yaml --driven socket
said "it is neither revolute nor prismatic"
sed 's/, motion: "0.5\*t"/, initial: {velocity: 0.5}/' turret.yaml >free.yaml
code 0 range free.yaml --driven rail --from -1 --to 2
ok "joints of one coordinate alone have a lowest and a highest position" [ "$(grep -cE '^  (socket|glue)' .out)" = 0 ]
ok "the one that is driven has its interval" grep -qE '^  rail +-1 +-1 +2 +2 m$' .out
code 0 range free.yaml --driven rail --from -1 --to 2 --json
json "[j['joint'] for j in o['joints']] == ['turn', 'rail']"

section "a mechanism without a name, and one whose name a terminal would obey"
sed 's/^name: ball/name: ""/' ball.yaml >nameless.yaml
for command in linearize inverse equilibrium; do
    code 0 $command nameless.yaml
    ok "the file's" grep -q '^nameless.yaml: ' .out
done
sed 's/^name: ball/name: "bell\\a escape\\e[2J"/' ball.yaml >rude.yaml
for command in linearize inverse equilibrium check; do
    code 0 $command rude.yaml
    ok "its name" grep -qF 'bell? escape?[2J' .out
done
code 0 check nameless.yaml
ok "no empty line for it" [ "$(sed -n 2p .out | tr -s ' ')" = ' tables 0' ]

section "loops that cannot be closed"
sed 's/closes: true/closes: true, at: {base: [0, 0, 1]}/' axle.yaml >apart.yaml
for command in check kinematics assemble; do
    code 2 $command apart.yaml --json
    json "o['error']['code'] == 'model' and 'socket' in o['error']['message'] and o['exit_code'] == 2"
    said "stays 1 m and"
done

section "runs that end before"
cat >gust.yaml <<'YAML'
detent: 1
gravity: [0, 0, 0]
bodies: {block: {mass: 1}}
joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], force: "if(t > 1, sqrt(1 - t), 3*sin(5*t))"}}
YAML
for command in linearize inverse equilibrium; do
    code 4 $command gust.yaml --at 2
    said "at t = 1 s 'if(t > 1, sqrt(1 - t), 3*sin(5*t))', a law of 'slide', is not a finite number"
done
code 4 linearize gust.yaml --at 2 --json
json "o['error']['code'] == 'numeric' and o['exit_code'] == 4"
sed 's/if(t > 1, sqrt(1 - t), 3\*sin(5\*t))/3*sin(1e4*t)/' gust.yaml >endless.yaml
# interrupted SIGNAL: while it runs. Before it can be interrupted a signal just ends it, without a word: then later.
interrupted() {
    local pause
    for pause in 0.3 2 8; do
        "$detent" linearize endless.yaml --at 1e6 --json >.out 2>.err &
        pid=$!
        sleep $pause
        kill "-$1" $pid
        wait $pid
        got=$?
        [ -s .out ] && break
    done
}
interrupted TERM
exited 143 "$got" "an analysis that is interrupted"
json "o['error']['code'] == 'interrupted' and o['exit_code'] == 143"
interrupted HUP
exited 129 "$got" "another one, by another signal"
json "o['exit_code'] == 129"

section "what loops leave at the initial positions"
# parallelogram ANGLE AXIS: its cranks at that angle, the axis of the first one
parallelogram() {
    cat <<YAML
detent: 1
gravity: [0, 0, 0]
bodies:
  c: {mass: 1, inertia: [0.1, 0.1, 0.1]}
  r: {mass: 1, inertia: [0.1, 0.1, 0.1]}
  k: {mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  a: {type: revolute, axis: $2, base: ground, follower: c, initial: {position: $1}}
  b: {type: revolute, base: c, follower: r, at: {base: [0.3, 0, 0]}, initial: {position: -$1}}
  d: {type: revolute, base: ground, follower: k, at: {base: [1, 0, 0]}, initial: {position: $1}}
  e: {type: revolute, base: k, follower: r, at: {base: [0.3, 0, 0], follower: [1, 0, 0]}, initial: {position: -$1}}
simulation: {end: 0.01}
YAML
}
parallelogram 0 "[0, 0, 1]" >flat.yaml
parallelogram 0.4 "[0, 0, 1]" >beside.yaml
parallelogram 0.4 "[0, 0.3, 1]" >askew.yaml
code 0 check flat.yaml
grep -q "branches of motion  *meet at the initial positions" .out
exited 0 $? "check tells that branches meet"
code 0 check flat.yaml --json
json "o['branches_meet'] is True and o['mobility'] == 2"
code 0 check beside.yaml --json
json "o['branches_meet'] is False and o['mobility'] == 1"
# a crank that is given where rod and rocker do not reach: whoever closes the loop says how far it went
cat >far.yaml <<'YAML'
detent: 1
gravity: [0, 0, 0]
bodies: {crank: {mass: 1, inertia: [0.1, 0.1, 0.1]}, rod: {mass: 1, inertia: [0.1, 0.1, 0.1]}, rocker: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints:
  a: {type: revolute, base: ground, follower: crank}
  b: {type: revolute, base: crank, follower: rod, at: {base: [0.8, 0, 0]}}
  d: {type: revolute, base: ground, follower: rocker, at: {base: [1, 0, 0]}}
  c: {type: revolute, base: rocker, follower: rod, at: {base: [0.6, 0, 0], follower: [0.7, 0, 0]}}
initial:
  a: {position: 3}
YAML
for command in check run linearize; do
    code 0 $command far.yaml
    said "far.yaml:10:17: warning: 'a' is given at 3 rad, and stands at 1.5"
done
code 0 check far.yaml --json -q
json "len(o['assembly_warnings']) == 1 and o['assembly_warnings'][0].startswith('far.yaml:10:17: ')"
for command in run linearize; do
    code 0 $command flat.yaml
    said "flat.yaml: warning: branches of the motion meet at the initial positions"
    code 0 $command beside.yaml
    grep -q warning .err
    exited 1 $? "$command says nothing where they do not"
done
code 0 run askew.yaml
said "askew.yaml: warning: nothing can move"

finish
