#!/usr/bin/env bash
# detent run --record and --report, detent report: what is in the files is what the other results say; what goes wrong is said. Usage:
# test_cli_record.sh DETENT
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"
links

"$detent" run links.yaml -q --end 0.01 --record=try.nc >.out 2>.err
if [ $? = 1 ] && grep -qF 'this build of detent has no recording' .err; then
    section "a build that cannot record says so"
    ok "no file is left" [ "$(find . -name '*.nc' -o -name '*.csv')" = "" ]
    code 1 run links.yaml --report
    said "this build of detent has no recording"
    code 1 report links.nc
    said "this build of detent has no recording"
    finish && echo "skipped: the rest needs NetCDF and zlib" && exit 77
    exit 1
fi
ok "a record" [ -s try.nc ]
for tool in ncdump python3; do
    command -v $tool >/dev/null || { echo "skipped: this needs $tool" && exit 77; }
done
check_record() { PYTHONPATH="$source_dir/tests/record" python3 "$source_dir/tests/record/check_record.py" "$@"; }
check_report() { PYTHONPATH="$source_dir/tests/record" python3 "$source_dir/tests/record/check_report.py" "$@"; }

section "a record says what table, event log and story say"
# recorded FILE ARGUMENT...
recorded() {
    local file=$1 name
    shift
    name=$(basename "$file" .yaml)
    code 0 run "$file" -q --record --trace-search -o "$name/" "$@"
    code 0 write "$file" -q -o "$name/written.yaml"
    ok "record of $name" check_record "$name/$name.nc" "$name/$name.csv" "$name/$name.events.csv" \
        "$name/$name.search.txt" "$name/written.yaml"
}
recorded links.yaml
grep -v -e '^outputs' -e '^  \[' links.yaml >bare.yaml
recorded bare.yaml --end 1
recorded "$source_dir/mechanisms/quick_return.yaml"   # a loop
recorded "$source_dir/mechanisms/newtons_cradle.yaml" # impacts
recorded "$source_dir/mechanisms/servo.yaml"          # states
recorded "$source_dir/tests/corpus/good/stops.yaml" --end 1
recorded "$source_dir/tests/corpus/good/joint_spherical.yaml" --end 0.1
recorded "$source_dir/tests/corpus/good/welded_marker.yaml" --end 0.1
recorded "$source_dir/tests/corpus/good/fixed_step.yaml" --end 0.1

section "other programs read it"
ok "nccopy" nccopy -d 0 links/links.nc plain.nc
ok "the same there" cmp <(ncdump -v position,event_time links/links.nc | sed -n '/^data/,$p') \
    <(ncdump -v position,event_time plain.nc | sed -n '/^data/,$p')
if python3 -c 'import netCDF4' 2>.err; then
    ok "netCDF4" python3 -c 'import netCDF4
record = netCDF4.Dataset("links/links.nc")
assert list(record["joint"][:]) == ["shoulder", "elbow"] and record["position"].units == "rad"
assert record["position"].shape[0] == len(record.dimensions["time"]) > 300
assert record["origin"].shape[1:] == (2, 3) and str(record["mechanism"][...]).startswith("detent: 1")'
fi
if python3 -c 'import xarray, netCDF4' 2>.err; then
    ok "xarray" python3 -c 'import xarray
record = xarray.open_dataset("links/links.nc")
elbow = record.position.sel(coordinate="elbow")
assert float(elbow.sel(time=1.0, method="nearest")) != 0 and record.time.dtype == float'
fi

section "where it goes"
code 0 run links.yaml -q --end 0.1 --record own.nc
ok "its own path" [ -s own.nc ]
code 0 run --record links.yaml -q --end 0.1
ok "what does not end in .nc is no path of it" [ -s links.nc ]
code 0 run links.yaml -q --end 0.1 --record=other -o there/
ok "with =, without an ending" [ -s other.nc ]
code 0 run links.yaml -q --end 0.1 --record --report -o - >.table
ok "beside a table on standard output" [ -s links.html ]
rm -f links.nc links.html
code 0 run links.yaml -q --end 0.1 --report page.html
ok "a page alone leaves no record" [ "$(find . -maxdepth 1 -name '*.partial*' -o -maxdepth 1 -name 'page*.nc' -o -maxdepth 1 -name links.nc)" = "" ]
ok "a page" [ -s page.html ]
code 0 run links.yaml --end 0.1 --json --record --report
printed '"record": "links.nc"'
printed '"report": "links.html"'

section "what goes wrong"
cp links.nc before.nc
code 3 run links.yaml -q --record missing/links.nc
said "cannot write missing/links.nc"
code 1 run links.yaml -q --record=/dev/full
said "among the devices"
cp links.yaml links.nc
code 1 run links.nc -q --record=links.nc -o there/
said "would replace the mechanism file"
cp before.nc links.nc
(ulimit -f 700 && "$detent" run links.yaml -q --record -o there/links >.out 2>.err)
exited 3 $? "a disk that is full"
said "cannot write there/links.nc: File too large"
ok "the other files say that they are partial" [ -s there/links.partial.csv ]
ok "what is there can be read" ncdump -h there/links.partial.nc
code 4 run links.yaml -q --set burst=0.5 --record -o there/burst
ok "a failed run keeps what it has" [ -s there/burst.partial.nc ]
ok "and says what it came to" grep -qF 'outcome = "failed: ' <(ncdump -h there/burst.partial.nc)
code 0 report there/burst.partial.nc -q -o burst
ok "its page" check_report burst.html 20e6 there/burst.partial.nc
code 3 report missing.nc
said "cannot read missing.nc"
code 3 report links.yaml
said "it is no record"
printf 'netcdf a { :detent_record = 2. ; }\n' | ncgen -k nc4 -o later.nc
code 3 report later.nc
said "later.nc was recorded by a later detent"
printf 'netcdf a { dimensions: time = 3 ; }\n' | ncgen -k nc4 -o foreign.nc
code 3 report foreign.nc
said "foreign.nc is no record of detent"
code 1 report
said "RECORD"
code 3 report links/links.nc -o missing/page
said "cannot write missing/page.html"
ok "no page was left" [ "$(find . -name '*page*partial*')" = "" ]
(ulimit -f 400 && "$detent" report links/links.nc -q -o cut >.out 2>.err)
exited 3 $? "a page on a disk that is full"
said "cannot write cut.html"
ok "nothing is left of it" [ "$(find . -name 'cut*')" = "" ]

section "a run that is killed leaves what it had"
"$detent" run links.yaml -q --end 1e7 --interval 1e-3 --record=killed.nc -o killed >.out 2>.err &
pid=$!
for _ in $(seq 100); do
    sleep 0.2
    rows=$(HDF5_USE_FILE_LOCKING=FALSE ncdump -h "killed.$pid.partial.nc" 2>/dev/null |
        sed -n 's/.*time = UNLIMITED ; \/\/ (\([0-9]*\) currently).*/\1/p')
    [ "${rows:-0}" -gt 0 ] && break
done
kill -KILL $pid
wait $pid 2>/dev/null
ok "rows" [ "${rows:-0}" -gt 0 ]
ok "its page" "$detent" report "killed.$pid.partial.nc" -q --max-data 1 -o killed
ok "what is in it" check_report killed.html 1e6 "killed.$pid.partial.nc"
ok "its outcome" grep -qF 'outcome = "unfinished"' <(ncdump -h "killed.$pid.partial.nc")

section "a page holds what its records hold"
# several side by side
code 0 report links/links.nc quick_return/quick_return.nc servo/servo.nc -o several
printed several.html
ok "several" check_report several.html 20e6 links/links.nc quick_return/quick_return.nc servo/servo.nc
code 0 report newtons_cradle/newtons_cradle.nc -q
ok "impacts" check_report newtons_cradle.html 20e6 newtons_cradle/newtons_cradle.nc
code 0 report joint_spherical/joint_spherical.nc -q
ok "a spherical joint" check_report joint_spherical.html 20e6 joint_spherical/joint_spherical.nc
code 0 run links.yaml -q --record --report -o one
ok "that of the run" check_report one.html 20e6 one.nc

section "shapes of bodies are in the page"
code 0 run "$source_dir/mechanisms/excavator.yaml" -q --end 0.01 --record --report -o digger
ok "the data" check_report digger.html 20e6 digger.nc
ok "a box" grep -qF '{"type": "box", "size": [3.7, 0.35, 0.3], "pose": [' digger.html
"$detent" write -q "$source_dir/mechanisms/excavator.yaml" >.out
ok "as many as the mechanism has" [ "$(grep -oE '\{"type": "(box|cylinder)", "size"' digger.html | wc -l)" = \
    "$(grep -cE '(box|cylinder): ' .out)" ]

section "markup in names is no markup"
sed -e "s|^name:.*|name: '</script><script>alert(1)</script><!-- &lt;'|" \
    -e 's|^  \[position(elbow)|  [{"</script><b>&": position(elbow)}|' links.yaml >'<b>markup.yaml'
code 0 run '<b>markup.yaml' -q --end 0.1 --record --report -o markup
ok "the data" check_report markup.html 20e6 markup.nc
ok "as many elements as in any page" [ "$(grep -o '</script' markup.html | wc -l)" = "$(grep -o '</script' several.html | wc -l)" ]

section "many rows are thinned, and events stay"
code 0 run links.yaml -q --interval 2e-4 --record=many.nc -o many
code 0 report many.nc -q --max-data 1 -o thinned
ok "one megabyte" check_report thinned.html 1e6 many.nc
ok "no more than that" [ "$(wc -c <thinned.html)" -lt $((1000000 + $(wc -c <"$source_dir/src/cli/report/page.html"))) ]
ok "and no less than half" [ "$(wc -c <thinned.html)" -gt $((500000 + $(wc -c <"$source_dir/src/cli/report/page.html"))) ]
code 0 report many.nc -q --max-data 0.03 -o thinner
ok "thirty kilobytes" check_report thinner.html 3e4 many.nc
code 1 report many.nc --max-data 0
said "is not a finite number above zero"

finish
