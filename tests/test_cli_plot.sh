#!/usr/bin/env bash
# detent plot: what is drawn is what is in the table; pictures are whole; what goes wrong is said. Usage: test_cli_plot.sh DETENT
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"
command -v python3 >/dev/null || { echo "skipped: this needs python3" && exit 77; }
links
drawn() { python3 "$source_dir/tests/record/check_plot.py" "$@"; }
code 0 run links.yaml -q -o run/

section "a table"
code 0 plot run/links.csv --outputs 'friction(elbow)'
printed "links.svg"
ok "lines are where ticks say" drawn links.svg run/links.csv 'friction(elbow)'
ok "lanes of both joints" [ "$(grep -cE '>(shoulder|elbow)<' links.svg)" = 2 ]
ok "events" grep -q 'stroke="#bb9999"' links.svg
code 0 plot run -q -o all.svg
ok "no path is printed" [ ! -s .out ]
ok "all columns, but for the mode that is a band" [ "$(grep -c '<g clip-path' all.svg)" = 4 ]
code 0 plot run -q -o mode.svg --outputs 'mode(shoulder)'
ok "a mode that is asked for" [ "$(grep -c '<g clip-path' mode.svg)" = 1 ]
code 0 plot run/links.csv -o small.svg --outputs 'position(elbow)' --size 400x300 --font 9
ok "its size" grep -q 'width="400" height="300"' small.svg
sed 's/mode(shoulder)/mode<\&\x01\xff/' run/links.csv >odd.csv
code 0 plot odd.csv
ok "XML whatever names are" python3 -c 'import xml.dom.minidom as x; x.parse("odd.svg")'
sed '5,9s/^\([^,]*\),[^,]*/\1,nan/' run/links.csv >holes.csv
code 0 plot holes.csv --outputs 'position(elbow)'
ok "a hole in the line" [ "$(sed -n '/<g clip/,/<.g>/p' holes.svg | grep -c '<path')" = 2 ]

section "several"
code 0 run links.yaml -q -o other/ --set pin=0.1
code 0 plot run/links.csv other/links.csv -o both.svg --outputs 'position(elbow)'
ok "two lines" [ "$(sed -n '/<g clip/,/<.g>/p' both.svg | grep -c '<path')" = 2 ]
ok "told apart by their paths" grep -q '>other/links.csv<' both.svg

section "a record"
"$detent" run links.yaml -q --record=links.nc -o recorded/ >.out 2>.err
if [ $? = 0 ]; then
    code 0 outputs links.nc 'position(lower, x)' -o wanted.csv
    code 0 plot links.nc --outputs 'position(lower, x)' -o record.svg
    ok "what the run was not asked for" drawn record.svg wanted.csv 'position(lower, x)'
    ok "its unit" grep -qF 'position(lower, x) (m)' record.svg
    code 1 plot links.nc --outputs 'position(lowr, x)'
    said "did you mean 'lower'"
fi

section "PNG"
if "$detent" plot run/links.csv -q -o picture.png 2>.err; then
    "$detent" plot run/links.csv -q -o sized.png --size 801x900
    ok "a PNG of that size" python3 -c 'import struct, zlib
data = open("sized.png", "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND"
width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
assert (width, height, depth, kind) == (801, 900, 8, 2)
body, at = b"", 8
while at < len(data):
    length, name = struct.unpack(">I4s", data[at:at + 8])
    assert zlib.crc32(data[at + 4:at + 8 + length]) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
    body += data[at + 8:at + 8 + length] if name == b"IDAT" else b""
    at += 12 + length
assert len(set(zlib.decompress(body))) > 10'
else
    said "made without cairo"
    ok "no file is left" [ ! -e picture.png ]
fi

section "what goes wrong is said"
code 1 plot run/links.csv --outputs 'position(elbo)'
said "did you mean 'position(elbow)'"
code 1 plot run/links.csv --outputs torque
said "--record"
code 1 plot run/links.csv -o picture.gif
said "neither .svg nor .png"
code 1 plot run/links.csv --size 10x10
said "have no room"
code 1 plot run/links.csv --size 960
said "WIDTHxHEIGHT"
code 1 plot run/links.csv --size nanxnan
code 1 plot run/links.csv --size 1e9x1e9
code 3 plot missing.csv
code 3 plot "$source_dir/tests"
said "tables of runs"
printf 'time,a\n0,1\n1,x\n' >bad.csv
code 3 plot bad.csv
said "bad.csv:3: 'x' is not a number"
printf 'time,a\n0,1\n1\n' >short.csv
code 3 plot short.csv
said "short.csv:3: 1 fields"
printf 'a,b\n0,1\n' >other.csv
code 3 plot other.csv
said "no column 'time'"
: >empty.csv
code 3 plot empty.csv
printf 'time,a\n' >none.csv
code 0 plot none.csv
echo kept >keep.svg
code 3 plot bad.csv -o keep.svg
ok "what stood there stays" [ "$(cat keep.svg)" = kept ]
ok "nothing is left over" [ "$(find . -name '*.partial*')" = "" ]
finish
