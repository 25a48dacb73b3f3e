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

# valid_json FILE: nothing to check with is no failure.
valid_json() {
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$1"
    elif command -v jq >/dev/null; then
        jq . "$1"
    fi
}

# failed CODE KIND ARGUMENT...: detent run --json says in JSON what went wrong.
failed() {
    local wanted=$1 kind=$2
    shift 2
    code "$wanted" run --json "$@"
    ok "JSON of a failure" valid_json .out
    printed '"status": "failed"'
    printed "\"exit_code\": $wanted"
    printed "\"code\": \"$kind\""
    printed '"message": "'
}
# links: writes links.yaml, two links whose joints stick and slip. After `burst` seconds the gust is the root of a negative
# number.
links() {
    cat >links.yaml <<'YAML'
detent: 1
name: two links
gravity: [0, -9.81, 0]
parameters: {pin: 0.02, drive: 0, burst: 1e9}
bodies:
  upper: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.083, 0.001, 0.083]}
  lower: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.083, 0.001, 0.083]}
joints:
  shoulder:
    {type: revolute, base: ground, follower: upper, axis: [0, 0, 1], initial: {position: 1.25}}
  elbow: {type: revolute, base: upper, follower: lower, axis: [0, 0, 1], at: {base: [0, -1, 0]}}
stiction:
  shoulder:
    velocity_threshold: 1e-3
    external: drive*sin(3*t)
    kinetic: pin*reaction_force(shoulder)
    static: 1.5*pin*reaction_force(shoulder)
  elbow: {velocity_threshold: 1e-3, kinetic: 0.3, static: 0.8}
loads: {gust: {body: lower, force: ["if(t > burst, sqrt(burst - t), 0)", 0, 0]}}
simulation: {end: 3 s, interval: 0.01 s}
outputs:
  [position(elbow), friction(elbow), "reaction_force(elbow, x)", mode(shoulder), velocity(shoulder)]
YAML
}

finish() {
    echo "$checks checks, $failures failed"
    [ "$failures" = 0 ]
}
