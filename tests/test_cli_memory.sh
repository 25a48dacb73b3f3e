#!/usr/bin/env bash
# The program without memory: every piece that it asks for is refused in its turn. It says so, with the exit code for that, leaves no
# file behind, and does not crash. Usage: test_cli_memory.sh REFUSING, the program linked with tests/refusing/refuse.c.
tests_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/support_cli.sh
source "$tests_dir/support_cli.sh"
# shellcheck source=tests/support_cli_refuse.sh
source "$tests_dir/support_cli_refuse.sh"

block

cat >crank.yaml <<'YAML'
detent: 1
name: crank
gravity: [0, -10, 0]
parameters: {coil: 8}
inputs: {torque: 0}
bodies:
  crank: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}
  rod: {mass: 2, center_of_mass: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}
  slider: {mass: 1.5}
joints:
  pivot: {type: revolute, base: ground, follower: crank, initial: {position: 0.5, priority: exact}}
  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}}
  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: {position: 1.1}, spring: {stiffness: 100, rest: 1}}
  wrist: {type: revolute, base: slider, follower: rod, closes: true, at: {follower: [0.8, 0, 0]}}
states: {wanted: {derivative: torque - wanted, initial: 0.5, nominal: 1}}
stiction: {pivot: {kinetic: 6, static: coil, external: torque + wanted}}
outputs: [position(slide), velocity(slide), {twice: 2*position(slide)}]
simulation: {end: 0.1}
YAML
cat >pendulum.yaml <<'YAML'
detent: 1
name: pendulum
gravity: [0, -9.81, 0]
bodies: {rod: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}}
joints: {pin: {type: revolute, base: ground, follower: rod, axis: [0, 0, 1]}}
YAML
# Longer than the buffers that are taken first.
awk 'BEGIN {print "time,position(pin),velocity(pin),acceleration(pin)"; for (k = 0; k < 6000; k++) print k ",0.5,0,0"}' >table.csv
{ cat pendulum.yaml && head -c 70000 /dev/zero | tr '\0' '#'; } >long.yaml

# A load in place of constants, and a law beside it.
cat >rubbing.yaml <<'YAML'
detent: 1
name: rubbing
gravity: [0, 0, -10]
bodies: {block: {mass: 1}, lid: {mass: 1, inertia: [1, 1, 1]}}
joints:
  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}
  hinge: {type: revolute, base: block, follower: lid, initial: {velocity: 1}, friction: {law: sign, coulomb: 2}}
stiction: {slide: {kinetic: 0.1*normal_force(slide), static: 0.2*normal_force(slide), external: 3*t}}
outputs: [position(slide)]
simulation: {end: 0.1, interval: 0.01}
YAML

# Without outputs the table has columns of all joints.
sed '/^outputs/d' block.yaml >columns.yaml

section "run and check"
refuse /dev/null run columns.yaml -q -o -
refuse /dev/null run block.yaml -q -o result --trace-search
refuse /dev/null run block.yaml -q --json --set hold=3 -o result.csv
refuse /dev/null run block.yaml -q -o result/
refuse /dev/null run block.yaml -q -o /dev/null
refuse block.yaml run - -q -o -
if "$detent" run block.yaml -q --end 0.01 --record=.record 2>.err; then # else this build has none
    refuse /dev/null run block.yaml -q --end 0.05 --interval 0.01 -o result --record
    refuse /dev/null report .record.nc -q -o result
    keeps=yes refuse /dev/null compare block.yaml --laws hyperviscous --end 0.02 --interval 0.01 -o result --record
fi
refuse long.yaml check -
refuse /dev/null check block.yaml
refuse /dev/null check crank.yaml --json

section "analyses"
refuse /dev/null linearize crank.yaml --outputs 'position(slide), twice'
refuse /dev/null inverse pendulum.yaml --motion table.csv
refuse table.csv inverse pendulum.yaml --motion - --json
refuse /dev/null inverse crank.yaml --driven pivot --hold
refuse /dev/null equilibrium crank.yaml --interval torque,coil --at 0.05
refuse /dev/null equilibrium crank.yaml --stiction --json
refuse /dev/null kinematics crank.yaml --driven pivot --from 0 --to 1 --step 0.5 --outputs 'twice, position(slide)'
refuse /dev/null range crank.yaml --driven pivot
refuse /dev/null assemble crank.yaml --write result.yaml
refuse /dev/null assemble long.yaml --write result.yaml

section "import"
cat >arm.urdf <<'XML'
<robot name="arm"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial><visual/></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1"/><dynamics friction="1"/></joint>
<transmission><joint name="j"/></transmission></robot>
XML
refuse /dev/null import arm.urdf -o result.yaml
refuse /dev/null import arm.urdf -q -o /dev/null
refuse arm.urdf import - -q

section "compare"
refuse /dev/null compare block.yaml --laws dahl,sign@erk --stretch 1e-3 --law-key viscous=0.1 --end 0.02
refuse rubbing.yaml compare - --laws hyperviscous --json --joints slide,hinge --command 'position(slide)' --end 0.02

finish
