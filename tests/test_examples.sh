#!/usr/bin/env bash
# Every example compiles without warnings as a stranger would compile it, and runs; and every call of the library is in one of them.
set -euo pipefail
build=$(dirname "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -e "$build/libdetent.so" ] || { echo "skipped: there is no shared library"; exit 77; }
needed=$(nm -D --undefined-only "$build/libdetent.so") # whole: a pipe that is closed early fails nm
if [[ $needed == *__asan* ]]; then
    echo "skipped: the library wants the sanitizer"
    exit 77
fi

missing=0
while read -r call; do
    grep -qw "$call" "$root"/examples/*.c || { echo "no example calls $call"; missing=1; }
done < <(sed -nE 's/^function .*\b(detent_[a-z_0-9]+) \(.*/\1/p' "$root/tests/abi/detent.abi")
((missing == 0))

for source in "$root"/examples/*.c; do
    name=$(basename "$source" .c)
    words=()
    [ "$name" != beginnings ] || words=("$root/mechanisms/sticky_double_pendulum.yaml")
    cc -std=c17 -O1 -Wall -Wextra -Werror -I"$root/include" "$source" -o "$work/$name" \
        -L"$build" -ldetent -Wl,-rpath,"$build" -lm
    "$work/$name" "${words[@]}" >"$work/$name.out" || { cat "$work/$name.out"; echo "$name failed"; exit 1; }
    [ -s "$work/$name.out" ] || { echo "$name says nothing"; exit 1; }
done
echo "$(ls "$root"/examples/*.c | wc -l) examples run, with all calls"
