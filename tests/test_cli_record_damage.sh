#!/usr/bin/env bash
# Records that other programs have changed: what is missing or makes no sense in them is left out or said, and nothing crashes. Usage:
# test_cli_record_damage.sh DETENT
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"
cat >block.yaml <<'YAML'
detent: 1
name: block
gravity: [0, 0, 0]
bodies: {block: {mass: 1}}
joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], spring: {stiffness: 10}}}
states: {charge: {derivative: 2*sin(9*t), initial: 0, min: -0.1, max: 0.1}}
stiction: {slide: {kinetic: 1, static: 2, external: "3*sin(5*t)", velocity_threshold: 1 mm/s}}
outputs: [position(slide), charge]
simulation: {end: 2, interval: 0.02}
YAML
"$detent" run block.yaml -q --record --trace-search >.out 2>.err
if [ $? = 1 ] && grep -qF 'this build of detent has no recording' .err; then
    echo "skipped: this needs NetCDF" && exit 77
fi
for tool in ncdump python3; do
    command -v $tool >/dev/null || { echo "skipped: this needs $tool" && exit 77; }
done
ncdump -p 9,17 block.nc >block.cdl

# changed VALUE NAME...: changed.nc is the record with this value all over these lists of bytes, which are not packed.
changed() {
    local value=$1 name
    shift
    cp block.nc changed.nc
    for name; do
        ok "$name" python3 -c 'import sys
value, *old = [int(word.rstrip("b")) for word in sys.stdin.read().split()]
data = open("changed.nc", "rb").read()
own = bytes(word & 255 for word in old)
assert data.count(own) == 1
open("changed.nc", "wb").write(data.replace(own, bytes([value & 255]) * len(own)))' < <(echo "$value"; values "$name")
    done
}
# events COUNT WORD: so many of the events in the page are of that kind.
events() {
    ok "$1 of $2" [ "$(grep -o '"kind": "[a-z]*"' page.html | grep -c "\"$2\"")" = "$1" ]
}
# values NAME: of a list in the record.
values() {
    awk -v name="$1" '
        $1 == name && $2 == "=" { on = 1; $1 = $2 = "" }
        on { last = /;/; gsub(/[ ;]/, ""); gsub(/,/, "\n"); printf "%s%s", $0, last ? "\n" : ""; on = !last }' block.cdl
}

section "what events are called"
code 0 report block.nc -q -o page
mapfile -t from < <(values event_from)
mapfile -t to < <(values event_to)
mapfile -t stiction < <(values event_stiction)
mapfile -t cause < <(values event_cause)
starts=0 breakaways=0 unlocks=0 reversals=0 states=0
for ((k = 0; k < ${#from[@]}; k++)); do
    case ${stiction[k]},${cause[k]},${from[k]},${to[k]} in
        -1,*) states=$((states + 1)) ;;
        0,0,*) starts=$((starts + 1)) ;;
        0,*,0,1) breakaways=$((breakaways + 1)) ;;
        0,*,1,2) unlocks=$((unlocks + 1)) ;;
        0,*,2,1) reversals=$((reversals + 1)) ;;
    esac
done
ok "some of each" [ $((starts == 1 && breakaways > 0 && unlocks > 0 && reversals > 0 && states > 0)) = 1 ]
events $starts start
events $breakaways breakaway
events $unlocks unlock
events $reversals reversal
events $states state

section "what is no mode, and no cause"
# Without the state, whose stops are no modes.
sed -i '/^states/d; s/, charge//' block.yaml
code 0 run block.yaml -q --record
ncdump -p 9,17 block.nc >block.cdl
for value in 3 -5 100; do
    changed $value event_from event_to event_cause
    code 0 report changed.nc -q -o page
    ok "$value is unknown before and after" [ "$(grep -o '"from": "unknown[+-]*", "to": "unknown' page.html | wc -l)" = \
        "$(values event_from | wc -l)" ]
done
ok "a cause that is none has no word" grep -qF '"cause": ""' page.html
finish
