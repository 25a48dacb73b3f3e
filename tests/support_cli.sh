# What the tests of the program share: sourced by them, with DETENT as the first argument. Ends in an empty folder of its
# own. Single quotes hold awk programs.
# shellcheck shell=bash
set -uo pipefail
detent=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 checks=0

section() { echo "-- $*"; }

# ok WHAT COMMAND...: the command must succeed.
ok() {
    local what=$1
    shift
    checks=$((checks + 1))
    if ! "$@" >"$work/.log" 2>&1; then
        failures=$((failures + 1))
        echo "FAILED: $what: $*"
        sed 's/^/    /' "$work/.log"
    fi
}
not() { ! "$@"; }

# code WANTED ARGUMENT...: runs detent; .out and .err hold what it said.
code() {
    local wanted=$1 got
    shift
    "$detent" "$@" >"$work/.out" 2>"$work/.err" </dev/null
    got=$?
    exited "$wanted" "$got" "detent $*"
}
exited() {
    checks=$((checks + 1))
    if [ "$1" != "$2" ]; then
        failures=$((failures + 1))
        echo "FAILED: $3: exit code $2 instead of $1"
        sed 's/^/    /' "$work/.err"
    fi
}
said() { ok "message" grep -qF -- "$1" "$work/.err"; }
printed() { ok "output" grep -qF -- "$1" "$work/.out"; }

finish() {
    echo "$checks checks, $failures failed"
    [ "$failures" = 0 ]
}
