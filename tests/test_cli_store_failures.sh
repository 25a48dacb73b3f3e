#!/usr/bin/env bash
# Records that cannot be written: calls of the library that writes them fail in their turn, with a reason of the system, without one, and for want of memory. The
# run says so with the exit code for that, and does not crash. Usage: test_cli_store_failures.sh REFUSING, the program linked with
# tests/refusing.
tests_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/support_cli.sh
source "$tests_dir/support_cli.sh"
# shellcheck source=tests/support_cli_refuse.sh
source "$tests_dir/support_cli_refuse.sh"
block
run=(run block.yaml -q --end 0.02 --interval 0.01 -o there/ --record=record.nc)

DETENT_TEST_STORE_CALLS=.calls "$detent" "${run[@]}" >.out 2>.err
got=$?
if [ $got = 1 ] && grep -qF 'this build of detent has no recording' .err; then
    finish && echo "skipped: this needs NetCDF" && exit 77
    exit 1
fi
exited 0 $got "detent ${run[*]}"
calls=$(<.calls)
ok "calls are counted" [ "$calls" -gt 100 ]
cp record.nc before.nc

# Codes of errno, of the library (NC_EHDFERR, NC_ENOMEM), and what they are told as.
codes=(28 -101 -61)
messages=("No space left on device" "Input/output error" "Cannot allocate memory")
wanted=(3 3 7)
section "$calls calls"
reasons=$(seq 0 11 $((calls - 1)); seq $((calls - 12)) $((calls - 1)); seq 0 2)
for call in $reasons; do
    way=$((call % 3))
    DETENT_TEST_STORE_FAILS=$call DETENT_TEST_STORE_CODE=${codes[way]} "$detent" "${run[@]}" >.out 2>.err
    got=$?
    exited "${wanted[way]}" $got "detent ${run[*]} with ${codes[way]} of call $call of $calls"
    said "cannot write record." # or the name that it has until it is whole
    said ".nc: ${messages[way]}"
done
ok "what was recorded before is as it was" cmp record.nc before.nc
finish
