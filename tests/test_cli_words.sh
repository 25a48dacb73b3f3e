#!/usr/bin/env bash
# What the commands say of what mechanisms rarely have: steps that did not settle, meshes that jam, turns after which all is where it was, several
# assemblies, names with markup in them. Usage: test_cli_words.sh DETENT
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"

# json EXPRESSION: a condition in Python on the object `o` that was printed. Nothing to check with is no failure.
json() {
    if command -v python3 >/dev/null; then
        ok "$1" python3 -c "import json; o = json.load(open('.out', encoding='utf-8')); assert $1"
    fi
}

section "fixed steps"
cat >block.yaml <<'YAML'
detent: 1
name: block
gravity: [0, 0, 0]
bodies: {block: {mass: 1}}
joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], spring: {stiffness: 10}}}
stiction: {slide: {kinetic: 1, static: 2, external: "3*sin(5*t)"}}
sampled: {seen: {every: 10 ms, value: position(slide)}}
outputs: [position(slide), seen]
simulation: {end: 0.2}
YAML
code 0 run block.yaml --integrator fixed --step 1e-3 -o out/
printed "steps      200;"
printed "           steps of 0.001 s"
printed "samples    21" # at both ends, too
ok "all steps have settled" not grep -q '^unsettled' .out
code 0 run block.yaml --integrator fixed --step 1e-3 --max-solves 0.5 -o out/
printed "unsettled  1 steps, with less friction than there is: max_solves is 1"
code 0 run block.yaml --integrator fixed --step 1e-3 --max-solves 1 -o out/ --json
json "o['counters']['unsettled'] == 1 and o['settings']['max_solves'] == 1"
code 0 run block.yaml -o out/
ok "no step is fixed" not grep -q '^ *steps of' .out

section "bounces"
cat >ball.yaml <<'YAML'
detent: 1
gravity: [0, -9.81, 0]
bodies: {ball: {mass: 1}}
joints:
  z: {type: prismatic, base: ground, follower: ball, axis: [0, 1, 0], initial: {position: 0.1},
      friction: {law: coulomb, coulomb: 2, velocity_band: 0.05}, stops: {lower: {at: 0, restitution: 1}}}
simulation: {end: 3, rtol: 1e-7}
YAML
code 0 run ball.yaml -o out/
printed "bounces    1 times those of restitution 1 were ended, lower than rtol tells"
code 0 run ball.yaml --end 0.3 -o out/ --json
json "o['counters']['endless'] == 0"
ok "no bounce was ended" not grep -q '^bounces' .out

section "meshes"
# worms COUNT RATIO COEFFICIENT
worms() {
    cat <<YAML
detent: 1
gravity: [0, 0, 0]
chain:
  count: $1
  bodies: {worm: {mass: 1, inertia: [1, 1, 1]}, wheel: {mass: 1, inertia: [1, 1, 1]}}
  joints:
    in: {type: revolute, base: ground, follower: "worm[i]"}
    out: {type: revolute, base: ground, follower: "wheel[i]"}
  couplings:
    mesh: {type: gear, joints: ["in[i]", "out[i]"], ratio: $2, friction: {coefficient: $3, lead_angle: 0.05}}
YAML
}
worms 2 30 0.1 >worms.yaml
code 0 check worms.yaml
ok "both, and no more" [ "$(grep -c 'A - |B| = 0.99.*: one motion at any load$' .out)" = 2 ]
ok "none is left out" not grep -q 'more$' .out
code 0 check worms.yaml --json
json "[m['coupling'] for m in o['meshes']] == ['mesh[1]', 'mesh[2]'] and all(0.99 < m['margin'] < 1 for m in o['meshes'])"
worms 1 0.02 0.5 >wedge.yaml
code 0 check wedge.yaml
printed ": two motions at some loads, of which the stable one is taken; none at others: there it jams"
code 0 check wedge.yaml --json
json "o['meshes'][0]['margin'] < 0"
worms 101 30 0.1 >many.yaml
code 0 check many.yaml
ok "too many to measure" [ "$(grep -c ': A - |B| is not known$' .out)" = 40 ]
printed "  ... and 61 more"
code 0 check many.yaml --json
json "len(o['meshes']) == 101 and o['meshes'][100]['margin'] is None"

section "a screw that jams"
cat >screw.yaml <<'YAML'
detent: 1
name: "a<b> & \u2028c\u2029"
gravity: [0, 0, -9.81]
bodies: {screw: {mass: 1, inertia: [1e-6, 1e-6, 1e-6]}, table: {mass: 1000}}
joints:
  turn: {type: revolute, base: ground, follower: screw, initial: {velocity: -10, priority: exact}}
  lift: {type: prismatic, base: ground, follower: table}
couplings: {lead: {type: screw, joints: [turn, lift], pitch: 2 mm, friction: {coefficient: 0.2, radius: 5 mm}}}
outputs: [position(turn)]
simulation: {end: 0.1}
YAML
code 0 run screw.yaml -q
ok "it is told" grep -qE '^0,turn,unlocked-,locked,jam,[0-9.]+$' screw.events.csv
code 0 run screw.yaml -q --events-format jsonl
ok "in JSON" grep -qE '"cause": ?"jam"' screw.events.jsonl
code 0 check screw.yaml --json
json "o['name'] == 'a<b> & \u2028c\u2029'"
if "$detent" run screw.yaml -q --report 2>.err; then # else this build has none
    ok "no markup in a page, and no line ends" grep -qF 'a\u003cb\u003e \u0026 \u2028c\u2029' screw.html
else
    said "this build of detent has no recording"
fi

section "ways"
cat >gears.yaml <<'YAML'
detent: 1
gravity: [0, 0, 0]
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints: {a: {type: revolute, base: ground, follower: a}, b: {type: revolute, base: ground, follower: b}}
couplings: {mesh: {type: gear, joints: [a, b], ratio: 1.5}}
YAML
code 0 range gears.yaml --driven a
printed "it turns all the way round: after 3 turns all is where it was"
code 0 range gears.yaml --driven b --json
json "o['turns'] and abs(o['high']['value'] - o['low']['value'] - 12.566370614359172) < 1e-9"
sed 's/follower: b}}/follower: b, stops: {upper: {at: 2}, lower: {at: -1}}}}/' gears.yaml >stopped.yaml
code 0 range stopped.yaml --driven a
printed "to -1.5 rad (lower stop of 'b') and 3 rad (upper stop of 'b')"
code 0 range stopped.yaml --driven a --json
json "o['low']['stop'] == {'joint': 'b', 'side': 'lower'} and o['high']['stop'] == {'joint': 'b', 'side': 'upper'}"
json "abs(o['low']['value'] + 1.5) < 1e-12 and abs(o['high']['value'] - 3) < 1e-12"

section "assemblies"
cat >ball.yaml <<'YAML'
detent: 1
name: ball
gravity: [0, 0, 0]
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, inertia: [1, 1, 1]}}
joints:
  crank: {type: revolute, base: ground, follower: a, axis: [0, 0, 1], initial: {position: 0.5, priority: exact}}
  ball: {type: spherical, base: a, follower: b, at: {base: [1, 0, 0]}, initial: {position: {quaternion: [0.98, 0, 0, 0.19]}}}
  rocker: {type: revolute, base: ground, follower: c, axis: [0, 0, 1], at: {base: [4, 0, 0]}, initial: {position: 2}}
  fork: {type: universal, axes: [[0, 0, 1], [0, 1, 0]], base: c, follower: b, at: {base: [3, 0, 0], follower: [3, 0, 0]}, closes: true}
YAML
code 0 assemble ball.yaml --branches
printed "4 assemblies found by "
printed "  position(ball, w) "
code 0 assemble ball.yaml --branches --json
json "len(o['assemblies']) == 4 and [c['name'] for c in o['columns']][1:5] == ['position(ball, %s)' % k for k in 'wxyz']"
json "all(abs(sum(x * x for x in a[1:5]) - 1) < 1e-12 and a[0] == 0.5 for a in o['assemblies'])"
# the rocker's end is where the rod's is: 3 from the crank's
json "all(abs((4 + 3*m.cos(a[5]) - m.cos(.5))**2 + (3*m.sin(a[5]) - m.sin(.5))**2 - 9) < 1e-9 for m in [__import__('math')] for a in o['assemblies'])"
code 1 assemble ball.yaml --branches --write out.yaml
said "options --branches and --write exclude each other"
ok "nothing is written" [ ! -e out.yaml ]
code 1 assemble ball.yaml --branches --keep crunk --json
json "'did you mean \'crank\'?' in o['error']['message']"
printf '%s' "$(<ball.yaml)" >torn.yaml # without the end of its last line
code 0 assemble torn.yaml --write out.yaml
ok "the section begins a line" grep -qx 'initial:' out.yaml
ok "a turn of a ball" grep -qE '^  ball: \{position: \{quaternion: \[.*\]\}, velocity: \[0, 0, 0\]\}$' out.yaml
code 0 assemble out.yaml
printed "assembled at t = 0 s: 0 iterations"
code 3 assemble ball.yaml --write nowhere/out.yaml
said "cannot write nowhere/out.yaml"
# a pipe is read once
"$detent" assemble --write out.yaml <(cat ball.yaml) >.out 2>.err
exited 2 $? "a file that is a pipe"
cat >free.yaml <<'YAML'
detent: 1
gravity: [0, 0, 0]
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {swing: {type: revolute, base: ground, follower: a, initial: {position: 0.25}}}
YAML
code 0 assemble free.yaml --branches --keep swing
printed "1 assembly found by 0 random starts"
cat >beyond.yaml <<'YAML'
detent: 1
gravity: [0, 0, 0]
bodies: {crank: {mass: 1, inertia: [1, 1, 1]}, rod: {mass: 1, inertia: [1, 1, 1]}, slider: {mass: 1}}
joints:
  pivot: {type: revolute, base: ground, follower: crank, initial: {position: 0.5, priority: exact}}
  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}}
  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: {position: 0.9}, stops: {upper: {at: 1}, lower: {at: -1}}}
  wrist: {type: revolute, base: slider, follower: rod, closes: true, at: {follower: [0.8, 0, 0]}}
YAML
code 0 assemble beyond.yaml
printed "'slide' is beyond its upper stop, at 1 m: no run starts here"
code 0 assemble beyond.yaml --json
json "o['beyond_stop'] == {'joint': 'slide', 'side': 'upper'}"

finish
