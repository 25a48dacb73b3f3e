#!/usr/bin/env bash
# detent outputs: what a run was not asked for is what it would have said. Usage: test_cli_outputs.sh DETENT
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"
links

"$detent" run links.yaml -q --end 0.01 --record=try.nc >.out 2>.err
if [ $? = 1 ] && grep -qF 'this build of detent has no recording' .err; then
    section "a build that cannot record says so"
    code 1 outputs try.nc
    said "this build of detent has no recording"
    finish && echo "skipped: the rest needs NetCDF and zlib" && exit 77
    exit 1
fi
command -v python3 >/dev/null || { echo "skipped: this needs python3" && exit 77; }
same() { python3 "$source_dir/tests/record/check_outputs.py" "$@"; }
rounding=1e-12

section "what the file did not name"
grep -v -e '^outputs' -e '^  \[' links.yaml >bare.yaml
code 0 run links.yaml -q -o asked/
code 0 run bare.yaml -q -o bare/ --record
code 0 outputs bare/bare.nc 'position(elbow)' 'friction(elbow)' 'reaction_force(elbow, x)' 'mode(shoulder)' \
    'velocity(shoulder)'
ok "as if it had been asked" same asked/links.csv .out $rounding
code 0 outputs bare/bare.nc 'position(elbow)' -o some.csv
ok "a file" [ "$(head -1 some.csv)" = "time,position(elbow),event" ]
ok "nothing beside it" [ "$(ls -d some*)" = some.csv ]
code 0 outputs bare/bare.nc 'if(velocity(elbow) > 0, 1, 0)'
ok "rows" [ "$(wc -l <.out)" = "$(wc -l <bare/bare.csv)" ]

section "of all kinds"
# again FILE [OPTION]...: all outputs of the file, once more from its record
again() {
    local file=$1 name
    shift
    name=$(basename "$file" .yaml)
    code 0 run "$file" -q --record -o "$name/" "$@"
    code 0 outputs "$name/$name.nc"
    ok "$name" same "$name/$name.csv" .out $rounding
}
again "$source_dir/mechanisms/sticky_double_pendulum.yaml"
again "$source_dir/mechanisms/four_bar.yaml"       # a loop
again "$source_dir/mechanisms/newtons_cradle.yaml" # impacts
again "$source_dir/mechanisms/starter.yaml"        # laws that switch at known times
again "$source_dir/mechanisms/screw_jack.yaml"     # a mesh that rubs
again "$source_dir/mechanisms/servo.yaml"          # states
again "$source_dir/mechanisms/hunting.yaml"        # sampled values
again "$source_dir/tests/corpus/good/rest_time.yaml"
again "$source_dir/mechanisms/ratchet.yaml" --integrator erk
again "$source_dir/mechanisms/block_on_belt.yaml" --integrator euler --step 0.001 --end 3

section "what cannot be had is said"
code 1 outputs bare/bare.nc 'position(ellbow)'
said "output 'position(ellbow)'"
said "did you mean 'elbow'"
code 1 outputs bare/bare.nc 'position(elbow)' 'friction(elbow'
said "output 'friction(elbow'"
code 1 outputs bare/bare.nc
said "an output is missing"
code 1 outputs
code 3 outputs missing.nc 'position(elbow)'
code 3 outputs bare/bare.csv 'position(elbow)'
code 3 outputs bare/bare.nc 'rest_time(elbow)'
said "rest_time() is read of a joint of which the run did not know it"
code 0 run "$source_dir/mechanisms/servo.yaml" -q --record=steps.nc --integrator fixed --step 0.001 --end 1 -o steps/
echo kept >kept.csv
code 4 outputs steps.nc -o kept.csv
said "the record has another"
ok "what stood there stays" [ "$(cat kept.csv)" = kept ]
ok "and nothing else" [ "$(ls -d kept*)" = kept.csv ]
cat >late.yaml <<'YAML'
detent: 1
name: late
gravity: [0, 0, 0]
bodies: {block: {mass: 1}}
joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], force: "delay(sin(t), 0.1 s)"}}
outputs: [position(slide)]
simulation: {end: 1 s, interval: 0.1 s}
YAML
code 0 run late.yaml -q --record
code 1 outputs late.nc
said "dead times"
code 3 outputs bare/bare.nc 'position(elbow)' -o nowhere/x.csv
finish
