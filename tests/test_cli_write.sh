#!/usr/bin/env bash
# detent write: what is written reads and runs as what was read. Usage: test_cli_write.sh DETENT
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"
links

section "to standard output, and into a file"
code 0 write links.yaml
ok "it is a mechanism file" grep -qx 'detent: 1' .out
ok "of its name" grep -qx 'name: two links' .out
cp .out text.yaml
code 0 write links.yaml -o written.yaml
ok "nothing is printed" cmp .out /dev/null
ok "the same text" cmp text.yaml written.yaml
code 0 write written.yaml -o written.yaml # over itself
ok "written twice it is the same" cmp text.yaml written.yaml
"$detent" write - <links.yaml >.out
ok "standard input" cmp .out written.yaml
code 0 write links.yaml -o - -q
ok "standard output by its name" cmp .out written.yaml

section "tables and events are the same, byte for byte"
# same FILE ARGUMENT...: a run of it and of what is written of it
same() {
    local file=$1 name
    shift
    name=$(basename "$file" .yaml)
    mkdir -p first second
    code 0 write "$file" -q -o "second/$name.yaml"
    "$detent" run "$file" -q -o "first/$name" "$@" 2>.err
    local one=$?
    "$detent" run "second/$name.yaml" -q -o "second/$name" "$@" 2>.err
    exited "$one" $? "the run of $name"
    ok "table of $name" cmp "first/$name.csv" "second/$name.csv"
    ok "events of $name" cmp "first/$name.events.csv" "second/$name.events.csv"
}
same links.yaml
same "$source_dir/mechanisms/sticky_double_pendulum.yaml" --end 3
same "$source_dir/mechanisms/ratchet.yaml" --end 1
same "$source_dir/mechanisms/servo.yaml" --end 0.3
same "$source_dir/mechanisms/excavator.yaml" --end 0.2
same "$source_dir/tests/corpus/good/chain_ladder.yaml" --end 1

section "--set"
code 0 write links.yaml --set pin=0.05 -o set.yaml
ok "the new value" grep -q 'pin: 0.05' set.yaml
"$detent" run links.yaml --set pin=0.05 -q -o - >.one
"$detent" run set.yaml -q -o - >.two
ok "runs as the changed one" cmp .one .two
code 1 write links.yaml --set pni=0.05
said "did you mean 'pin'"
code 1 write links.yaml --set pin=
sed 's/mass: 1,/mass: -1,/' links.yaml >bad.yaml
code 2 write bad.yaml -o written.yaml
ok "nothing was replaced" cmp .out /dev/null

section "what cannot be written"
cp written.yaml old.yaml
code 3 write links.yaml -o missing/written.yaml
said "cannot write 'missing/written.yaml'"
mkdir folder
code 3 write links.yaml -o folder
code 3 write links.yaml -o /dev/null
said "it is no file"
ok "which is a device still" [ -c /dev/null ]
(ulimit -f 1 && "$detent" write "$source_dir/mechanisms/excavator.yaml" -o written.yaml >.out 2>.err)
exited 3 $? "a disk that is full"
said "cannot write 'written.yaml'"
ok "the old file stays" cmp old.yaml written.yaml
ok "and nothing is left beside it" [ -z "$(ls -- *.partial 2>/dev/null)" ]
if [ -w /dev/full ]; then
    "$detent" write links.yaml >/dev/full 2>.err
    exited 3 $? "standard output on a full disk"
fi
code 1 write
code 1 write links.yaml --end 3
code 3 write nowhere.yaml

finish
