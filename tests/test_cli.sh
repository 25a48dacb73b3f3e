#!/usr/bin/env bash
# Drives the program as its users do: results, exit codes, what is kept of a run that fails. Usage: test_cli.sh DETENT
# Single quotes hold awk programs.
# shellcheck disable=SC2016
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"

# The rows of a table whose event column is $2.
rows() { tail -n +2 "$1" | awk -F, -v side="$2" '$NF == side' | wc -l; }

links

section "results"
code 0 run links.yaml
for file in links.csv links.events.csv links.summary.json; do
    ok "$file" test -s "$file"
done
ok "nothing else" test "$(echo *)" = "links.csv links.events.csv links.summary.json links.yaml"
ok "columns" test "$(head -n 1 links.csv)" = \
    'time,position(elbow),friction(elbow),"reaction_force(elbow, x)",mode(shoulder),velocity(shoulder),event'
ok "uniform rows" test "$(rows links.csv 0)" = 301
ok "both sides of events" test "$(rows links.csv -1)" = "$(rows links.csv 1)"
ok "there are events" test "$(rows links.csv 1)" -gt 5
ok "the last row" grep -q '^3,' <(tail -n 1 links.csv)
ok "time does not go back" awk -F, 'NR > 2 && $1 < t {exit 1} NR > 1 {t = $1}' links.csv
ok "the sides of an event have one time" \
    awk -F, '$NF == -1 {t = $1} $NF == 1 && $1 != t {exit 1}' links.csv
ok "as many fields in every row" \
    awk -F, 'NR > 1 && NF != 7 {exit 1}' links.csv
ok "event log" test "$(head -n 1 links.events.csv)" = "time,joint,from,to,cause,margin"
ok "modes in words" grep -qE '^[^,]+,(shoulder|elbow),locked,wait[+-],initial,' links.events.csv
ok "summary" valid_json links.summary.json
ok "summary" grep -q '"status": "finished"' links.summary.json
printed "two links: finished at t = 3 s"
printed "links.events.csv"

section "the same again, by other ways"
cp links.csv first.csv
cp links.events.csv first.events.csv
code 0 run links.yaml --quiet
ok "quiet" test ! -s .out -a ! -s .err
ok "reproducible" cmp links.csv first.csv
code 0 run links.yaml -o -
ok "table on standard output" cmp .out first.csv
code 0 run links.yaml -o - --json
ok "table on standard output" cmp .out first.csv
ok "the summary is one line" test "$(wc -l <.err)" = 1
ok "JSON on standard error" valid_json .err
"$detent" run links.yaml -q -o /dev/stdout | cat >.out
ok "standard output by its name" cmp .out first.csv
"$detent" run - <links.yaml >.out
ok "standard input" cmp stdin.csv first.csv
code 0 run links.yaml -o results/
ok "directory" cmp results/links.csv first.csv
code 0 run -oresults links.yaml
code 0 run links.yaml --output=results/other
ok "base name" cmp results/other.csv first.csv
code 0 run links.yaml -o results/third.csv
ok "base name with extension" cmp results/third.events.csv first.events.csv
code 0 run links.yaml --json
ok "JSON on standard output" valid_json .out
printed '"exit_code": 0'
code 0 run links.yaml --events-format jsonl --trace-search -o results/
ok "a log of JSON" test -s results/links.events.jsonl
while read -r line; do
    echo "$line" >.line
    valid_json .line || ok "line of JSON" false
done < <(head -n 20 results/links.events.jsonl)
ok "as many events" test "$(wc -l <results/links.events.jsonl)" = \
    "$(($(wc -l <first.events.csv) - 1))"
ok "story of the searches" test -s results/links.search.txt
code 0 run links.yaml --linear-solver dense -o results/dense
ok "the dense solver agrees" awk -F, 'FNR == NR {last = $2; next} {other = $2}
    END {exit !(last - other < 1e-5 && other - last < 1e-5)}' first.csv results/dense.csv
code 0 run links.yaml --end 1 --interval 0.25 -o results/short
ok "end and interval" test "$(rows results/short.csv 0)" = 5
sed 's/, interval: 0.01 s//' links.yaml >without.yaml
code 0 run without.yaml --end 2 -o results/whole
ok "the usual interval follows --end" test "$(rows results/whole.csv 0)" = 1001
rm without.yaml
code 0 run links.yaml --set pin=50 --end 1 -o results/stuck
ok "a parameter" test "$(rows results/stuck.csv 1)" -lt "$(rows first.csv 1)"
ok "parameters in the summary" grep -q '"pin": "50"' results/stuck.summary.json
code 0 run links.yaml --set pin=7 --set pin=50 --end 1 -o results/stuck2
ok "a later parameter wins" cmp results/stuck.csv results/stuck2.csv
rm -rf results stdin.* first.*

section "states at their stops"
cat >held.yaml <<YAML
detent: 1
gravity: [0, 0, 0]
bodies: {a: {mass: 1}}
joints: {z: {type: prismatic, base: ground, follower: a}}
states: {z: {derivative: "if(t < 2, 1, -1)", min: 0, max: 1.5}, w: {derivative: "-1", initial: 2, min: 2}}
simulation: {end: 3}
YAML
code 0 run held.yaml -q
ok "at the start, to the stop, away" test "$(cut -d , -f 2-6 held.events.csv | tr '\n' ' ')" = \
    "joint,from,to,cause,margin state(w),free,lower,initial, state(z),free,upper,switch, state(z),upper,free,switch, "
code 0 run held.yaml -q --events-format jsonl
cp held.events.jsonl .line
ok "in JSON" grep -qE '"joint": ?"state\(w\)", ?"from": ?"free", ?"to": ?"lower", ?"cause": ?"initial", ?"margin": ?null' .line
rm held.*

section "columns where the file names none"
sed '/^outputs/,$d' links.yaml >plain.yaml
code 0 run plain.yaml --end 1
ok "default columns" test "$(head -n 1 plain.csv)" = "time,position(shoulder),velocity(shoulder),\
position(elbow),velocity(elbow),friction(shoulder),mode(shoulder),friction(elbow),mode(elbow),event"
rm -f plain.*

section "devices"
rm -f links.csv links.events.csv links.summary.json
for device in /dev/null /dev/../dev/null; do
    code 0 run links.yaml --end 0.1 -o "$device"
    printed "finished"
done
code 0 run links.yaml --end 0.1 -o /dev/null --json
ok "JSON on standard output" valid_json .out
code 1 run links.yaml --end 0.1 -o /dev
said "/dev/links.csv"
code 1 run links.yaml --end 0.1 -o /dev/
code 1 run links.yaml --end 0.1 -o /dev/nothing
said "/dev/nothing.csv"
ok "nothing new in /dev" not compgen -G "/dev/*.csv" -G "/dev/*.partial*"
if [ -w /dev/full ]; then
    code 3 run links.yaml -o /dev/full
    said "cannot write /dev/full"
    code 3 run links.yaml -o /dev/full --json
    ok "JSON of a failure" valid_json .out
    printed '"exit_code": 3'
fi
mkfifo pipe
cat pipe >.table &
code 0 run links.yaml --end 0.1 -o pipe
wait $!
ok "a pipe with a name" grep -q '^0.1,' .table
timeout --preserve-status -s INT 1 "$detent" run links.yaml -o pipe >.out 2>.err
ok "a pipe without a reader can be left" test $? = 130
"$detent" run links.yaml --end 0.1 -q -o /dev/fd/3 3>.table
ok "an open file by its number" grep -q '^0.1,' .table
ok "no other results" test "$(echo *)" = "links.yaml pipe"
rm -f pipe
code 0 run links.yaml

section "values that are not finite"
sed 's/^  \[position(elbow)/  ["sqrt(1 - t)", "exp(1000*t)", position(elbow)/' links.yaml >wild.yaml
code 0 run wild.yaml --end 2
said "values of the table are not finite, the first in exp(1000*t) at t = 0.71 s"
ok "counted" grep -qE '"not_finite": [1-9]' wild.summary.json
code 0 run wild.yaml --end 2 --quiet
ok "quiet" test ! -s .err
code 0 run wild.yaml --end 0.5
ok "none" test ! -s .err
code 4 run links.yaml --set pin=1e308 -q
rm -f wild.* links.partial.*

section "odd names"
for name in 'a b' '-dash' 'ünï' 'quo"te' $'new\nline' '100%s' 'a.b'; do
    cp links.yaml "./$name.yaml"
    code 0 run --end 0.1 -- "$name.yaml"
    ok "results of '$name'" test -s "./$name.csv"
    ok "summary of '$name'" valid_json "./$name.summary.json"
    rm -f "./$name."*
done
cp links.yaml $'\xff\xfe.yaml'
code 0 run --end 0.1 $'\xff\xfe.yaml'
ok "a name that is not UTF-8" valid_json $'\xff\xfe.summary.json'
rm -f $'\xff\xfe.'*
cp links.yaml .hidden
code 0 run --end 0.1 .hidden
ok "a leading dot starts no extension" test -s .hidden.csv
cp links.yaml table.csv
code 1 run --end 0.1 table.csv
said "would replace the mechanism file"
ok "the mechanism file is untouched" cmp links.yaml table.csv
rm -f table.* .hidden*

section "results are replaced by finished ones only"
echo old >links.csv
code 4 run links.yaml --set burst=1
ok "the old one is there" test "$(cat links.csv)" = old
for file in links.partial.csv links.partial.events.csv links.partial.summary.json; do
    ok "$file" test -s "$file"
done
said "links.partial.csv"
ok "until the failure" awk -F, 'END {exit !($1 > 0.9 && $1 < 1.1)}' links.partial.csv
ok "summary of a failure" grep -q '"status": "failed"' links.partial.summary.json
ok "summary of a failure" valid_json links.partial.summary.json
ok "no temporary files" not compgen -G "*.[0-9]*.partial*"
rm -f links.partial.* links.csv

section "signals"
timeout --preserve-status -s INT 1 "$detent" run links.yaml --set drive=8 --end 1e9 --interval 1e9 2>.err >.out
ok "SIGINT" test $? = 130
ok "interrupted" grep -q "interrupted at t" .err
ok "kept" test -s links.partial.csv
ok "summary of an interruption" grep -q '"status": "interrupted"' links.partial.summary.json
timeout --preserve-status -s TERM 1 "$detent" run links.yaml --set drive=8 --end 1e9 -q >.out 2>.err
ok "SIGTERM" test $? = 143
timeout --preserve-status -s INT 1 "$detent" run links.yaml --set drive=8 --end 1e9 --interval 1e9 --json 2>.err >.out
ok "JSON of an interruption" valid_json .out
printed '"exit_code": 130'
rm -f links.partial.*
# A chain of which the first steps take long: the answer does not wait for a part of the run.
cat >slow.yaml <<'YAML'
detent: 1
gravity: [0, -9.81, 0]
chain:
  count: 300
  bodies: {l: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}
  joints:
    h: {type: revolute, base: "l[i-1]", follower: "l[i]", at: {base: [1, 0, 0]}, damping: 0.01}
  first: {joints: {h: {base: ground, at: null}}}
outputs: [t]
simulation: {end: 1e6, interval: 1000}
YAML
# answered SECONDS ARGUMENT...: within a second where SIGTERM comes after so many.
answered() {
    local begun seconds=$1
    shift
    begun=$(date +%s%N)
    timeout --preserve-status -s TERM "$seconds" "$detent" run -q "$@" >.out 2>.err
    ok "SIGTERM" test $? = 143
    ok "within a second" test $(($(date +%s%N) - begun)) -lt $(((seconds + 1) * 1000000000))
}
answered 1 slow.yaml
# A search of 40,000 joints that is given up.
answered 3 "$source_dir/mechanisms/hanging_chain.yaml" -s n=40000 -o slow.csv
rm -f slow.*

section "outcomes"
sed 's/^simulation:.*/simulation: {end: 3, max_event_rate: 1e-3}/
    s/kinetic: 0.3, static: 0.8/kinetic: 0.3, static: 0.8, external: 30*sin(3000*t)/' links.yaml >storm.yaml
failed 6 event_storm storm.yaml
said "event storm"
ok "kept" test -s storm.partial.events.csv
rm -f storm.*

# Once loose, it would be held by more friction than before it broke loose.
cat >jam.yaml <<'YAML'
detent: 1
gravity: [0, -9.81, 0]
bodies: {rod: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.083, 0.001, 0.083]}}
joints: {pin: {type: revolute, base: ground, follower: rod, axis: [0, 0, 1]}}
stiction:
  pin: {velocity_threshold: 1e-3, external: 4*t, kinetic: 3*reaction_force(pin), static: 0.3*reaction_force(pin)}
YAML
failed 5 no_consistent_state jam.yaml
said "'pin'"
ok "kept" test -s jam.partial.csv
rm -f jam.*
chain=$source_dir/mechanisms/hanging_chain.yaml
if [ -f "$chain" ] && (ulimit -v 100000 && "$detent" version >.out 2>&1); then
    (ulimit -v 100000 && "$detent" run "$chain" --set n=60000 --end 1e-9 >.out 2>.err)
    ok "out of memory" test $? = 7
    ok "no results" not compgen -G "hanging_chain*"
fi

section "files that cannot be written"
code 3 run links.yaml -o nowhere/links
said "nowhere/links"
touch a_file
code 3 run links.yaml -o a_file/
mkdir -p taken/links.csv
code 3 run links.yaml -o taken/
said "taken/links.csv"
ok "nothing is begun" test "$(ls taken)" = links.csv
if [ -w /dev/full ]; then
    for arguments in "help" "check links.yaml" "run links.yaml -o -" "run links.yaml"; do
        # shellcheck disable=SC2086
        "$detent" $arguments >/dev/full 2>.err
        ok "full standard output: $arguments" test $? = 3
        ok "says so" grep -q "standard output" .err
    done
fi
"$detent" version >&- 2>.err
ok "closed standard output" test $? = 3
"$detent" run links.yaml -o - --interval 1e-4 2>.err | head -n 1 >/dev/null
ok "closed pipe" test "${PIPESTATUS[0]}" = 3
"$detent" run links.yaml -o - --json --interval 1e-4 2>.err | head -n 1 >/dev/null
tail -n 1 .err >.line
ok "JSON of a closed pipe" grep -q '"exit_code": *3' .line
rm -f links.csv links.partial.*
echo old >links.csv
(ulimit -f 16 && "$detent" run links.yaml >.out 2>.err)
ok "file size limit" test $? = 3
ok "says so" grep -qF "cannot write links.csv" .err
ok "the old one is there" test "$(cat links.csv)" = old
ok "what fitted is kept" test -s links.partial.csv
rm -rf links.csv links.partial.* taken a_file

# A file system without room, where somebody may mount one. Where the writing comes to its end differs.
mkdir room
for size in 8 24 96; do
    mount -t tmpfs -o "size=${size}k" tmpfs room 2>/dev/null || break
    for interval in 2e-3 1e-3 5e-4; do
        code 3 run "$source_dir/mechanisms/dragged_block.yaml" -o room/block --interval $interval
        said "No space left on device"
        rm -f room/*
    done
    umount room
done
rmdir room

section "progress"
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then # a terminal can be had
    TERM=xterm timeout -s INT 2 script -qec "'$detent' run links.yaml --set drive=8 --end 1e9" /dev/null >.tty 2>&1 </dev/null
    ok "on a terminal" grep -q "ETA" .tty
    TERM=dumb timeout -s INT 1 script -qec "'$detent' run links.yaml --set drive=8 --end 1e9" /dev/null >.tty 2>&1 </dev/null
    ok "not on a dumb one" not grep -q "ETA" .tty
fi

finish
