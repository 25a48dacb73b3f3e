#!/usr/bin/env bash
# What is made of records, without memory: every piece that the program asks for is refused in its turn. Usage: test_cli_memory_records.sh REFUSING,
# the program linked with tests/refusing/refuse.c.
tests_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/support_cli.sh
source "$tests_dir/support_cli.sh"
# shellcheck source=tests/support_cli_refuse.sh
source "$tests_dir/support_cli_refuse.sh"

cat >shapes.yaml <<'YAML'
detent: 1
gravity: [1, 0, -9.81]
bodies:
  ground: {shape: [{box: [2, 2, 0.1], color: gray}, {line: [[-1, 0, 0], [1, 0, 0]], name: path}]}
  arm: {mass: 1, inertia: [0.1, 0.2, 0.3], shape: [{cylinder: {radius: 0.05, length: 0.2}}, {mesh: arm.stl}]}
  ball: {mass: 1, inertia: [0.1, 0.2, 0.3], center_of_mass: [0.1, 0, 0]}
joints:
  swing: {type: revolute, base: ground, follower: arm}
  hinge: {type: revolute, base: arm, follower: ball, axis: [1, 0, 0], at: {base: [0, 0, 1]}}
stiction: {hinge: {kinetic: 0.2, static: 0.5}}
simulation: {end: 0.02, interval: 0.01}
YAML
"$detent" run shapes.yaml -q --record=.shapes.nc -o .shapes/ >.out 2>.err
if [ $? = 1 ] && grep -qF 'this build of detent has no recording' .err; then
    echo "skipped: this needs NetCDF" && exit 77
fi

# Each process takes its time to start: what another command asks for, too, is refused there.
beyond=20 refuse /dev/null animate .shapes.nc -q -o result
beyond=60 refuse /dev/null plot .shapes.nc -q --outputs 'velocity(arm, x)' -o result.svg
beyond=70 refuse /dev/null outputs .shapes.nc 'velocity(arm, x)' -o result.csv
finish
