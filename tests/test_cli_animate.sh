#!/usr/bin/env bash
# detent animate: glTF that a reader of its rules alone accepts, with the poses of the run. Usage: test_cli_animate.sh DETENT
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"
cat >shapes.yaml <<'YAML'
detent: 1
gravity: [1, 2, -9.81]
bodies:
  ground: {shape: [{box: [2, 2, 0.1], color: gray}, {line: [[-1, 0, 0], [1, 0, 0], [1, 1, 0]], name: path}]}
  arm:
    mass: 1
    inertia: [0.1, 0.2, 0.3]
    shape:
      - {box: [0.1, 0.2, 1], at: [0, 0, 0.5], color: orange}
      - {cylinder: {radius: 0.05, length: 0.2}, at: {rotation: {axis: [1, 0, 0], angle: 90 deg}}}
      - {capsule: {radius: 0.1, length: 0.3}}
      - {sphere: 0.1}
      - {ellipsoid: [0.1, 0.2, 0.3], name: "odd \"name\""}
      - {mesh: arm.stl}
  ball: {mass: 1, inertia: [0.1, 0.2, 0.3], center_of_mass: [0.1, 0, 0]}
joints:
  free: {type: spherical, base: ground, follower: arm, initial: {velocity: [4, 5, 6]}}
  hinge: {type: revolute, base: arm, follower: ball, axis: [1, 0, 0], at: {base: [0, 0, 1], follower: [0.2, 0, 0]}}
stiction: {hinge: {kinetic: 0.2, static: 0.5, velocity_threshold: 1e-3}}
points: {arm_ahead: {body: arm, at: [1, 0, 0]}, ball_ahead: {body: ball, at: [1, 0, 0]}}
simulation: {end: 2 s, interval: 0.02 s}
YAML
"$detent" run shapes.yaml -q --record >.out 2>.err
if [ $? = 1 ] && grep -qF 'this build of detent has no recording' .err; then
    section "a build that cannot record says so"
    code 1 animate shapes.nc
    said "this build of detent has no recording"
    finish && echo "skipped: the rest needs NetCDF and zlib" && exit 77
    exit 1
fi
command -v python3 >/dev/null || { echo "skipped: this needs python3" && exit 77; }
ok "a record" [ -s shapes.nc ]

section "shapes and poses"
outputs=()
for item in arm arm_ahead ball ball_ahead; do
    outputs+=("position($item, x)" "position($item, y)" "position($item, z)")
done
code 0 outputs shapes.nc "${outputs[@]}" -o poses.csv
code 0 animate shapes.nc
printed "shapes.glb"
ok "as the rules and the run have it" python3 "$source_dir/tests/record/check_animation.py" shapes.glb poses.csv 1 2 -9.81
ok "sticks where there is no shape" grep -aq '"name": "sticks"' shapes.glb
ok "names" grep -aq '"name": "path"' shapes.glb
for gravity in "[0, 9.81, 0]" "[0, 0, 0]"; do
    sed "s/^gravity.*/gravity: $gravity/" shapes.yaml >turned.yaml
    code 0 run turned.yaml -q --record
    code 0 outputs turned.nc "${outputs[@]}" -o poses.csv
    code 0 animate turned.nc -q -o turned
    ok "no path is printed" [ ! -s .out ]
    # shellcheck disable=SC2086
    ok "gravity $gravity" python3 "$source_dir/tests/record/check_animation.py" turned.glb poses.csv $(tr -d '[],' <<<"$gravity")
done

section "long runs are thinned, and keep their events"
cat >long.yaml <<'YAML'
detent: 1
gravity: [0, 0, 0]
bodies: {b: {mass: 1}}
joints: {x: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0]}}
stiction: {x: {kinetic: 0.5, static: 1, external: "2*sin(t)"}}
simulation: {end: 12, interval: 1e-4}
YAML
code 0 run long.yaml -q --record
code 0 animate long.nc -q
ok "at most 100,000 key frames, one at each event" python3 -c '
import csv, json, struct
data = open("long.glb", "rb").read()
length = struct.unpack("<I", data[12:16])[0]
scene = json.loads(data[20:20 + length])
times = scene["accessors"][scene["animations"][0]["samplers"][0]["input"]]
view = scene["bufferViews"][times["bufferView"]]
first = 28 + length + view.get("byteOffset", 0) + times.get("byteOffset", 0)
keys = struct.unpack("<%df" % times["count"], data[first:first + 4 * times["count"]])
assert 90000 < len(keys) <= 100000, len(keys)
events = {float(row["time"]) for row in csv.DictReader(open("long.events.csv"))}
assert len(events) > 4
assert all(min(abs(k - e) for k in keys) < 2e-6 for e in events)'

section "what goes wrong is said"
code 1 animate
code 3 animate missing.nc
code 3 animate shapes.yaml
said "shapes.yaml"
code 3 animate shapes.nc -o nowhere/x.glb
echo kept >kept.glb
code 3 animate shapes.yaml -o kept.glb
ok "what stood there stays" [ "$(cat kept.glb)" = kept ]
ok "nothing is left over" [ "$(find . -name '*.partial*')" = "" ]
finish
