#!/usr/bin/env bash
# detent plot of tables that other programs have written or spoilt, and of more than fits. Usage: test_cli_plot_edges.sh DETENT
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"

# panels COUNT FILE: so many outputs are drawn.
panels() { ok "$1 outputs in $2" [ "$(grep -c '<g clip-path' "$2")" = "$1" ]; }

section "fields"
printf '"time","a, ""b""",event\r\n0,1,0\r\n0.5,2,1\r\n1,3,0\r\n' >quoted.csv
code 0 plot quoted.csv
ok "a name with quotes and a comma" grep -qF '>a, "b"<' quoted.svg
ok "an event" [ "$(grep -c 'stroke="#bb9999"' quoted.svg)" = 1 ]
code 0 plot quoted.csv -q -o named.svg --outputs 'event, time'
panels 2 named.svg
{
    printf 'time'
    for k in $(seq 24); do printf ',c%s' "$k"; done
    printf '\n0'
    for k in $(seq 24); do printf ',%s' "$k"; done
    printf '\n'
} >wide.csv
code 0 plot wide.csv
panels 24 wide.svg
sed -e '1s/$/,c25/' -e '2s/$/,25/' wide.csv >wider.csv
code 1 plot wider.csv
said "'detent plot': 25 outputs; say with --outputs which, up to 24"
code 0 plot wider.csv -q -o some.svg --outputs c25,c1
panels 2 some.svg
code 1 plot wider.csv --outputs c26
said "wider.csv has no column 'c26'; did you mean 'c2"
printf 'time,event\n0,0\n' >nothing.csv
code 1 plot nothing.csv
said "'detent plot': 0 outputs"
printf 'time,a\nnoon,1\n' >noon.csv
code 3 plot noon.csv
said "noon.csv:2: 'noon' is not a number"
printf 'time,a\n0,\n' >gap.csv
code 3 plot gap.csv
said "gap.csv:2: '' is not a number"
printf 'time,a,event\n0,1,no\n' >side.csv
code 3 plot side.csv
said "side.csv:2: 'no' is not a number"
printf 'time,a\n0,1x\n' >tail.csv
code 3 plot tail.csv
said "tail.csv:2: '1x' is not a number"
mkdir folder.csv
code 3 plot folder.csv
said "folder.csv has 0 tables of runs"

section "names"
# named BYTES SHOWN: a column of that name is drawn under this one.
named() {
    printf 'time,%b\n0,1\n1,2\n' "$1" >names.csv
    code 0 plot names.csv -q
    ok "'$1' is shown as '$2'" grep -qF ">$2<" names.svg
}
named 'a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80b' aé€😀b
named 'a\xc3(b' 'a?(b'             # the end of a character is missing
named 'a\xe2\x82b' 'a?b'
named 'a\xf0\x9f\x98' 'a?'
named 'a\x80b' 'a?b'               # its beginning
named 'a\xffb\xc1c\xf5d' 'a?b?c?d' # what begins none
named 'a\xe0\x80\x80b' 'a?b'       # longer than it has to be
named 'a\xf0\x80\x80\x80b' 'a?b'
named 'a\xed\xa0\x80b' 'a?b'       # half of a pair
named 'a\xf4\x90\x80\x80b' 'a?b'   # beyond the last one
named 'a\x7fb\tc' 'a?b?c'
named 'a<b>c&d' 'a&lt;b&gt;c&amp;d'

section "event logs"
log() { # LINE...: of table.csv
    printf 'time,a\n0,1\n1,2\n2,1\n' >table.csv
    printf '%s\n' "$@" >table.events.csv
}
lanes() { grep -o '>[a-z]*[0-9]*<' table.svg | grep -c '^>joint'; }
log time,joint,from,to,cause,margin 0,joint1,locked,unlocked+,initial,1 1,joint1,unlocked+,locked,stop,1 1,joint2,locked,wait-,limit,1 \
    '1.5,state(z),free,upper,limit,' 1.5,joint1
code 0 plot table.csv
ok "two lanes; a state and half a line have none" [ "$(lanes)" = 2 ]
log 0,joint1,locked,locked,initial,1 0.5,joint1,locked,lockedly,limit,1 0.5,joint2,locked,unlocked-+x,limit,1
code 0 plot table.csv
ok "what is no mode" [ "$(lanes)" = 1 ]
log soon,joint1,locked,locked,initial,1
code 3 plot table.csv -o spoilt.svg
said "table.events.csv:1: 'soon' is not a number"
ok "no picture" [ ! -e spoilt.svg ]
many=()
for k in $(seq 11); do many+=("0,joint$k,locked,locked,initial,1"); done
log "${many[@]}"
code 0 plot table.csv
ok "eight lanes" [ "$(lanes)" = 8 ]
said "modes of 3 more joints are not in the plot"
code 0 plot table.csv -q
ok "nothing is said" [ ! -s .err ]
printf 'time,a\n' >table.csv
code 0 plot table.csv -q
ok "lanes without rows" [ "$(lanes)" = 8 ]

section "several"
mkdir here there
printf 'time,a,b\n0,1,2\n1,2,3\n' >here/run.csv
printf 'time,a\n0,1\n1,3\n' >there/run.csv
code 1 plot here/run.csv there/run.csv
said "there/run.csv has no 'b'"
code 0 plot here/run.csv there/run.csv -q -o both.svg --outputs a
ok "by their paths" grep -q '>there/run.csv<' both.svg
cp here/run.csv here/other.csv
code 3 plot here -q
said "here has 2 tables of runs"
code 0 plot here/run.csv here/other.csv -q -o both.svg
ok "by their names" grep -q '>other<' both.svg

section "sizes and endings"
for size in 960x 0.5x300 300x0.5 x300 32768x300 300x32768 300x300z 300y300; do
    code 1 plot here/run.csv --size $size
    said "option --size: '$size' is not WIDTHxHEIGHT, up to 32767 px"
done
code 1 plot here/run.csv -o .svg
said "option --output: '.svg' ends in neither .svg nor .png"
code 1 plot here/run.csv --font 200 --size 300x300
said "2 outputs have no room in 300 x 300 px"
code 3 plot here/run.csv -q -o nowhere/x.svg
said "cannot write nowhere/x.svg"
if (ulimit -f 1 && : >.limit) 2>.err; then
    (ulimit -f 1 && "$detent" plot wide.csv -q -o cut.svg >.out 2>.err)
    exited 3 $? "a picture on a disk that is full"
    said "cannot write cut.svg: File too large"
    ok "nothing is left of it" [ "$(find . -name 'cut*')" = "" ]
fi

section "what does not fit side by side, small numbers, modes"
names=()
for k in 1 2 3; do
    names+=("here/a_run_with_a_rather_long_name_$k.csv")
    printf 'time,a\n0,0\n1,%se-7\n' "$k" >"${names[k - 1]}"
done
# rows of the legend: how many heights its texts are at
rows() { grep -o '<text[^>]*>a_run_with[^<]*<' "$1" | grep -o ' y="[^"]*"' | sort -u | wc -l; }
code 0 plot "${names[@]}" -q -o legend.svg --size 1600x300
ok "a legend in one row" [ "$(rows legend.svg)" = 1 ]
code 0 plot "${names[@]}" -q -o legend.svg --size 500x400
ok "a legend in several rows" [ "$(rows legend.svg)" = 3 ]
ok "a power of ten" grep -qF '>a (10⁻⁹)<' legend.svg
printf 'time,mode(joint1),mode(joint10),b\n0,0,0,1\n1,1,0,2\n' >table.csv
printf 'time,joint,from,to,cause,margin\n0,joint1,locked,locked,initial,1\n1,joint1,locked,unlocked+,limit,1\n' >table.events.csv
code 0 plot table.csv -q
panels 2 table.svg # a band in place of the mode that it shows
code 0 plot table.csv -q --outputs 'mode(joint1)'
panels 1 table.svg
ok "or both, where it is asked for" grep -qF '>mode(joint1)<' table.svg
rm table.events.csv
code 0 plot table.csv -q
panels 3 table.svg

section "times that go back"
# More corners than the picture has columns: the line is in pieces, each from where the last one ended.
awk 'BEGIN { print "time,a"; for (k = 0; k < 6000; k++) print k % 2 "," k }' >zigzag.csv
code 0 plot zigzag.csv -q --size 300x300
ok "pieces" [ "$(grep -c 'stroke="#000000" stroke-width="1.50"' zigzag.svg)" -gt 1 ]
printf 'time,a,b\n0,1,nan\nnan,2,2\n1,nan,3\n2,4,4\n3,5,5\n' >holes.csv
code 0 plot holes.csv -q
panels 2 holes.svg
code 1 plot here/run.csv --font 9000
said "2 outputs have no room in "

finish
