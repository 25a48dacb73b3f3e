#!/usr/bin/env bash
# The reports of the demo, of a loop, of the servo with one friction law after the other and of a chain of 300, opened in Chromium: drawn,
# played, without a complaint. Usage: test_report_pages.sh DETENT [FOLDER]; pages and pictures of them go to FOLDER, where one is given.
source_dir=$(cd "$(dirname "$0")/.." && pwd)
pictures=${2:+$(realpath -m "$2")}
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"
for tool in node python3 ncdump chromium; do
    command -v $tool >/dev/null || { echo "skipped: this needs $tool" && exit 77; }
done
"$detent" run "$source_dir/mechanisms/four_bar.yaml" -q --end 0.01 --record=try.nc -o try >.out 2>.err ||
    { grep -qF 'this build of detent has no recording' .err && echo "skipped: this build has no recording" && exit 77; }
mechanisms=$source_dir/mechanisms
open() { node "$source_dir/tests/viewer/open.mjs" ${pictures:+--pictures "$pictures"} "$@"; }
check_report() { PYTHONPATH="$source_dir/tests/record" python3 "$source_dir/tests/record/check_report.py" "$@"; }

section "one command each"
code 0 run "$mechanisms/sticky_double_pendulum.yaml" -q --end 5 --report demo.html -o demo
code 0 run "$mechanisms/walking_leg.yaml" -q --end 2 --report loop.html -o loop
code 0 run "$mechanisms/hanging_chain.yaml" -q --set n=300 --end 0.002 --interval 5e-5 --report chain.html -o chain

section "the servo with one law after the other"
code 0 compare "$mechanisms/servo.yaml" -q --step 1e-4 --end 0.05 --laws sign@euler,hyperviscous,quinn,stiction -o laws --record
laws=(laws/servo.{stiction,quinn,hyperviscous,sign@euler}.nc)
code 0 report "${laws[@]}" -q -o servo.html
ok "what is in the page" check_report servo.html 20e6 "${laws[@]}"

section "in a browser"
ok "pages of one run" open --runs 1 demo.html loop.html chain.html
ok "four laws" open --runs 4 servo.html
for page in demo loop chain servo; do
    ok "$page is at most 2 MB" [ "$(wc -c <$page.html)" -le 2000000 ]
done
[ -z "$pictures" ] || cp ./*.html "$pictures"

finish
