#!/usr/bin/env bash
# The program at its edges: long and unreadable standard input, files that stand in its way, names that need quotes, a
# second interrupt. Usage: test_cli_edges.sh DETENT
# Single quotes hold awk programs.
# shellcheck disable=SC2016
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"

# A block that a sine pushes to and fro, and that a burst may end.
cat >block.yaml <<'YAML'
detent: 1
gravity: [0, 0, 0]
parameters: {burst: 1e9, hold: 2}
bodies: {block: {mass: 1}}
joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}
stiction: {slide: {kinetic: 1, static: hold, external: "if(t > burst, sqrt(burst - t), 3*sin(5*t))"}}
outputs: [position(slide)]
simulation: {end: 2}
YAML

section "standard input"
code 0 run block.yaml -q
cp block.csv first.csv
# Longer than any buffer, and longer than two.
for bytes in 65536 200000; do
    { cat block.yaml && head -c $bytes /dev/zero | tr '\0' '#'; } >long.yaml
    "$detent" run -q - <long.yaml >.out 2>.err
    exited 0 $? "standard input of $bytes bytes"
    ok "the same table" cmp stdin.csv first.csv
    code 0 run -q long.yaml
    ok "the same from a file" cmp long.csv first.csv
done
"$detent" check - <. >.out 2>.err
exited 3 $? "standard input that is a directory"
said "<stdin>"
said "directory"
sed 's/hold: 2/hold: 0.5/' block.yaml >doubtful.yaml
"$detent" check - <doubtful.yaml >.out 2>.err
exited 0 $? "a warning"
ok "its place" grep -qE '^<stdin>:6:[0-9]+: warning: .*slide' .err
code 1 run block.yaml --set hold=-1 --atol 1e-9
said "(with the values of --set and --atol; the file alone is valid)"
rm -f stdin.* long.* first.csv doubtful.yaml block.csv block.*.*

section "what stands in the way"
# The name of a file in work is that of the process: somebody else's is left alone.
bash -c "echo other >block.\$\$.partial.csv; exec '$detent' run -q block.yaml" >.out 2>.err
exited 0 $? "a temporary name that is taken"
ok "the other one's file" grep -qx other block.*.partial.csv
ok "the table" test -s block.csv
rm -f block.*.* block.csv
mkfifo block.csv
code 3 run block.yaml
said "cannot write block.csv: File exists"
rm -f block.csv
# A folder that appears while it runs.
"$detent" run block.yaml --interval 2e-5 >.out 2>.err &
pid=$!
for _ in $(seq 200); do
    compgen -G "block.*.partial.csv" >/dev/null && break
    sleep 0.01
done
mkdir block.csv
wait $pid
exited 3 $? "a folder that appears"
said "cannot replace block.csv"
rm -rf block.csv block.*.*
# What failed cannot be kept under its usual name either: it stays where it was written.
mkdir block.partial.csv
code 4 run block.yaml --set burst=1
ok "kept" compgen -G "block.[0-9]*.partial.csv"
said "$(compgen -G 'block.[0-9]*.partial.csv')"
ok "the folder is empty" test -z "$(ls block.partial.csv)"
rm -rf block.partial.* block.*.*

section "the search on standard error"
# A table on standard output leaves the trace nowhere else to go; it is the same table.
code 0 run block.yaml -q -o -
mv .out plain.csv
code 0 run block.yaml -q -o - --trace-search
ok "the same table" cmp .out plain.csv
ok "the trace" grep -q "slide" .err
ok "no file for it" not test -e block.search.txt
rm -f plain.csv

section "the command line"
code 1 --json run block.yaml
said "option --json stands before the command; it belongs behind it"
code 1 -qv run block.yaml
said "unknown option '-qv'"
code 1 frobnicate
said "unknown command 'frobnicate'; see 'detent help'"
code 1 run block.yaml --this-is-an-option-of-a-length-that-nobody-has-ever-seen-in-any-program
said "unknown option"
code 0 run block.yaml -q --set hold=7 --set burst=0.1 --set hold=2.5 --set burst=1e9 -o -
cp .out both.csv
code 0 run block.yaml -q --set hold=2.5 -o -
ok "the last of each counts" cmp .out both.csv
code 0 run block.yaml -q --set hold=2 -o -
ok "and it does count" not cmp -s .out both.csv
for integrator in ida erk auto; do
    code 0 run block.yaml --json --integrator $integrator -o /dev/null
    printed "\"integrator\": \"$integrator\""
done
code 1 run block.yaml --integrator eular
said "ida|erk|auto|euler|rk4"
for integrator in euler rk4; do
    code 0 run block.yaml --json --integrator $integrator --step 1e-3 -o /dev/null
    printed "\"integrator\": \"$integrator\""
    code 1 run block.yaml --integrator $integrator
    said "need the length of their steps"
    code 1 run block.yaml --integrator $integrator --step 0
    code 1 run block.yaml --integrator $integrator --step -1e-3
    code 1 run block.yaml --integrator $integrator --step 1e-30
    said "too short"
done
code 1 run block.yaml --integrator erk --step 1e-3
said "a step is for euler, rk4 and fixed"
rm -f both.csv

section "names and numbers that need care"
cat >odd.yaml <<'YAML'
detent: 1
name: "tab\t bell\a é € 😀 del\x7f quote\" back\\"
gravity: [0, 0, 0]
bodies: {block: {mass: 1}}
joints: {slide: {type: prismatic, base: ground, follower: block, initial: {velocity: 1}}}
outputs: [{'say "x", twice': position(slide)}, {down: -exp(1000*t)}, {tiny: 1e-310*position(slide)}]
simulation: {end: 1, interval: 0.25}
YAML
code 0 run odd.yaml --json
ok "a field with quotes" test "$(head -n 1 odd.csv)" = 'time,"say ""x"", twice",down,tiny,event'
ok "minus infinity" grep -qE '^1,1(\.0*1|),-inf,' odd.csv
said "values of the table are not finite"
if command -v python3 >/dev/null; then
    python3 - odd.summary.json odd.csv 2>.err <<'PY'
import csv, json, sys
name = json.load(open(sys.argv[1], encoding="utf-8"))["name"]
assert name == 'tab\t bell\a é € \U0001f600 del\x7f quote" back\\', repr(name)
rows = list(csv.reader(open(sys.argv[2])))
assert rows[0][1] == 'say "x", twice', rows[0]
assert abs(float(rows[2][3]) - 0.25e-310) < 1e-317, rows[2]
PY
    ok "read back" test $? = 0
fi
code 0 check odd.yaml
ok "nothing that a terminal obeys" not grep -q "$(printf '[\001-\010\013-\037\177]')" .out
rm -f odd.*

# Bytes that are no UTF-8 in a file name become U+FFFD in the summary, one for each.
for bytes in '\xe2\x82' '\xed\xa0\x80' '\xf4\x90\x80\x80' '\xc0\xaf' '\xe0\x80\x80' '\xf0\x80\x80\x80' '\xf5a' '\xe2\x28\xa1'; do
    name=$(printf 'n%bm' "$bytes")
    cp block.yaml "$name.yaml" 2>/dev/null || continue
    code 0 run "$name.yaml" --json --end 0.1 -o out
    if command -v python3 >/dev/null; then
        ok "JSON of $bytes" python3 -c 'import json; t = open("out.summary.json", "rb").read().decode("utf-8"); json.loads(t); assert "\\ufffd" in t' 
    fi
    rm -f "$name.yaml" out.*
done
cp block.yaml 'n€😀m.yaml'
code 0 run 'n€😀m.yaml' --end 0.1 -o out
ok "and those that are stay" grep -qF 'n€😀m.yaml' out.summary.json
rm -f n*.yaml out.*

section "columns and lists"
cat >many.yaml <<'YAML'
detent: 1
gravity: [0, 0, 0]
bodies: {ball: {mass: 1, inertia: [1, 1, 1]}, rail: {mass: 1}}
joints:
  ball: {type: spherical, base: ground, follower: ball, initial: {velocity: [0, 0, 3.141592653589793]}}
  rail: {type: prismatic, base: ground, follower: rail, initial: {velocity: 2}}
stiction: {rail: {kinetic: 1e-9, static: 1e-9, locking: band, velocity_threshold: 1 mm/s}}
simulation: {end: 1, interval: 0.5}
YAML
code 0 run many.yaml -q -o -
ok "a rotation has four numbers and three velocities" test "$(head -n 1 .out)" = \
    '"time","position(ball, w)","position(ball, x)","position(ball, y)","position(ball, z)","velocity(ball, x)","velocity(ball, y)","velocity(ball, z)",position(rail),velocity(rail),friction(rail),mode(rail),event' -o \
    "$(head -n 1 .out)" = \
    'time,"position(ball, w)","position(ball, x)","position(ball, y)","position(ball, z)","velocity(ball, x)","velocity(ball, y)","velocity(ball, z)",position(rail),velocity(rail),friction(rail),mode(rail),event'
# Half a turn about z in a second: [0, 0, 0, 1].
ok "half a turn" awk -F, 'function near(x, y) {return x - y < 1e-5 && y - x < 1e-5}
    $1 == 1 {good = near($2, 0) && near($3, 0) && near($4, 0) && near($5, 1) && near($8, 3.14159265) && near($9, 2)}
    END {exit !good}' .out
code 0 check many.yaml --json
printed '"locking": "band"'
printed '"stiction": false'
cat >chain.yaml <<'YAML'
detent: 1
gravity: [0, -9.81, 0]
chain:
  count: 500
  bodies: {l: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}
  joints: {h: {type: revolute, base: "l[i-1]", follower: "l[i]", at: {base: [1, 0, 0]}}}
  first: {joints: {h: {base: ground, at: null}}}
YAML
code 0 check chain.yaml
listed=$(grep -cE '^ +h\[[0-9]+\] ' .out)
printed "... and $((500 - listed)) more"
rm -f many.* chain.*

section "the log of events"
cat >causes.yaml <<'YAML'
detent: 1
gravity: [0, 0, 0]
bodies: {a: {mass: 1}, b: {mass: 1}, c: {mass: 1}, d: {mass: 1}}
joints:
  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: {velocity: 1}}
  b: {type: prismatic, base: a, follower: b, axis: [1, 0, 0]}
  c: {type: prismatic, base: ground, follower: c, axis: [1, 0, 0]}
  d: {type: prismatic, base: ground, follower: d, axis: [1, 0, 0]}
stiction:
  a: {kinetic: 4, static: 5}
  b: {kinetic: 0.5, static: 2.5, external: -2.6}
  c: {kinetic: 1, static: 1.5, external: "if(t < 0.7, 1, 2)"}
  d: {kinetic: 1, static: 1.5, external: 3*t}
simulation: {end: 1}
YAML
for format in csv jsonl; do
    code 0 run causes.yaml -q --events-format $format
    for cause in initial stop search limit threshold switch; do
        ok "cause $cause in $format" grep -qE "[,\"]${cause}[,\"]" causes.events.$format
    done
done
# a, with b on it, is stopped by 4 N / 2 kg; then b needs 2.6 N, which is more than its 2.5.
ok "a stops and b breaks away" awk -F, '$5 == "stop" {a = $1} $2 == "b" && $5 == "search" {b = $1}
    END {exit !(a == b && a - 0.5 < 1e-6 && 0.5 - a < 1e-6)}' causes.events.csv
ok "the switch releases c" grep -qE '^0\.7,c,locked,wait\+,switch,' causes.events.csv
ok "d reaches its limit" grep -qE '^0\.(5|5000000[0-9]*|49999999[0-9]*),d,locked,wait\+,limit,' causes.events.csv
rm -f causes.*

section "a second interrupt"
# Nobody reads the pipe: the first signal waits for the write, the second one ends it.
mkfifo pipe
# shellcheck disable=SC2217
sleep 20 <pipe &
reader=$!
"$detent" run block.yaml -q --interval 1e-6 -o - >pipe 2>.err &
pid=$!
sleep 1
kill -TERM $pid
sleep 2.3
ok "one is waited for" kill -0 $pid
kill -TERM $pid
wait $pid
exited 143 $? "a second interrupt"
kill $reader
rm -f pipe

finish
