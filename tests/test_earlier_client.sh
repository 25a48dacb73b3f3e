#!/usr/bin/env bash
# The tour of the API, compiled against an earlier header, in which every struct that can grow is shorter by its last member (but for three whose
# last member the tour needs), and with the address
# sanitizer, which sees memory that the library takes for the program's: it runs on this library as it does with today's header.
set -euo pipefail
build=$(dirname "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -e "$build/libdetent.so" ] || { echo "skipped: there is no shared library"; exit 77; }
needed=$(nm -D --undefined-only "$build/libdetent.so") # whole: a pipe that is closed early fails nm
if [[ $needed == *__asan* ]]; then
    echo "skipped: the library brings the sanitizer itself"
    exit 77
fi

mkdir -p "$work/include/detent"
for header in "$root"/include/detent/*.h; do
    # without comments, each member is what ends with a semicolon
    gcc -fpreprocessed -dD -E -P "$header" 2>/dev/null | awk '
        /^typedef struct detent_[a-z_]+ \{/ {body = $0; inside = 1; next}
        inside {body = body "\n" $0}
        inside && /^\} detent_/ {
            inside = 0
            if (body ~ /\{[ \n]*size_t size;/ && body !~ /detent_(body_def|joint_def|function_def);$/) {
                end = match(body, /\n\} detent_[a-z_]+;$/)
                members = substr(body, 1, end - 1)
                sub(/;[^;]*;$/, ";", members)
                body = members substr(body, end)
            }
            print body
            next
        }
        !inside {print}' >"$work/include/detent/$(basename "$header")"
done

client() { # INCLUDE NAME
    cc -std=c17 -g -fsanitize=address -Wall -Werror -I"$1" "$root/examples/embed.c" -o "$work/$2" \
        -L"$build" -ldetent -Wl,-rpath,"$build"
    "$work/$2" >"$work/$2.out"
}
client "$root/include" today
client "$work/include" earlier
for struct in detent_statistics detent_stiction_def detent_primitive_info; do
    printf '#include "detent/detent.h"\nint size = (int)sizeof(%s);\n' $struct >"$work/size.c"
    for include in "$root/include" "$work/include"; do
        cc -I"$include" -S -o - "$work/size.c" | awk '/\.long/ {print $2}'
    done | { read -r now; read -r before; [ "$before" -lt "$now" ] || { echo "$struct is not shorter"; exit 1; }; }
done
cmp "$work/today.out" "$work/earlier.out"
echo "an earlier client runs as today's: $(wc -l <"$work/earlier.out") lines"
