#!/usr/bin/env bash
# What is said of wrong command lines, settings and files, to people and to programs. Usage: test_cli_arguments.sh DETENT
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"

links

section "wrong command lines"
code 1
said "a command is missing"
code 1 rnu links.yaml
said "did you mean 'run'?"
code 1 links.yaml
said "detent run links.yaml"
code 1 run
said "FILE is missing"
code 1 run links.yaml another.yaml
said "unexpected argument 'another.yaml'"
code 1 run --intervall 1 links.yaml
said "did you mean '--interval'?"
code 1 run --xyzzy links.yaml
said "unknown option '--xyzzy'"
code 1 run x.yaml --plot
said "unknown option '--plot'; that is a command: 'detent plot RESULT...', or a page with --report"
code 1 run -z links.yaml
code 1 run links.yaml --end
said "--end TIME"
code 1 run links.yaml --end soon
code 1 run links.yaml --end nan
code 1 run links.yaml --end -1
code 1 run links.yaml --interval 0
code 1 run links.yaml --linear-solver sparse
said "tree|dense"
code 1 run links.yaml --quiet=yes
code 1 run links.yaml --set pin
said "NAME=VALUE"
code 1 check links.yaml --end 3
said "'detent check' has no option --end"
code 1 help everything
code 1 run links.yaml -o ''
said "--output"
code 1 run links.yaml --output=
code 1 run links.yaml --set ''
# What is in no option's own range shows only with the file.
code 1 run links.yaml --rtol 2
said "rtol: must be at least 1e-14 and less than 1"
code 1 run links.yaml --rtol 1
said "less than 1"
code 1 run links.yaml --atol 1
said "velocity threshold"
code 1 run links.yaml --interval 1e-300
said "interval: too short"
code 1 run links.yaml --end 1e300
code 1 run links.yaml --end 1e-322
said "too near to the start"
code 0 run links.yaml --end 1e-100 -o -
code 1 run links.yaml --max-step 1e-300
said "max_step: too short"
code 1 run links.yaml --end 1s
said "not a finite number of seconds"
code 1 run links.yaml --max-step 0
for set in pine=7 pin= 'pin=7 +' pin=nan pin=.inf pin=1e999 'pin=7 flurbs' pin=drive; do
    code 1 run links.yaml --set "$set"
    code 1 check links.yaml --set "$set"
done
code 1 check links.yaml --set pine=7
said "did you mean 'pin'?"
ok "no results of wrong command lines" test "$(echo *)" = links.yaml

section "tolerances and thresholds: a given one counts, a default never refuses"
cat >slide.yaml <<'YAML'
detent: 1
gravity: [0, 0, 0]
bodies: {block: {mass: 1 kg}}
joints:
  slide: {type: prismatic, base: ground, follower: block, armature: 0.5 kg, nominal: {velocity: 2}}
stiction: {slide: {velocity_threshold: 1e-10, kinetic: 1, static: 1, external: 2*sin(t)}}
simulation: {end: 1}
YAML
code 0 run slide.yaml -o -
code 0 run slide.yaml -o - --atol 1e-14
ok "no warning" not grep -q warning .err
code 0 run slide.yaml -o - --atol 5e-11
said "below ten times the absolute tolerance"
code 1 run slide.yaml -o - --atol 1e-9
said "(with the values of --atol; the file alone is valid)"
sed 's/end: 1/end: 1, atol: 1e-6/' slide.yaml >loose.yaml
code 2 check loose.yaml
said "loose.yaml:6:40"
code 2 run loose.yaml -o -
code 0 run loose.yaml -o - --atol 1e-12
sed 's/velocity_threshold: 1e-10, //' slide.yaml >none.yaml
code 0 run none.yaml -o -
code 0 check none.yaml
printed "stiction, threshold from the mechanism  armature 0.5 kg"
printed "atol                 from the mechanism"
printed "max step             as the laws need"
printed "linear solver        tree"
printed "locked joints        weld"
code 0 check slide.yaml
printed "threshold 1e-10 m/s"
code 0 check none.yaml --json
printed '"velocity_threshold": null'
printed '"nominal_velocity": 2'
printed '"atol": null'
printed '"locked_joints": "weld"'
code 0 run none.yaml --locked-joints constrain --linear-solver dense --max-step 0.1
printed "settings   ida, dense solver, locked joints: constrain"
printed "atol from the mechanism, longest step 0.1 s"
sed 's/kinetic: 1/locking: band, kinetic: 1/' none.yaml >band.yaml
code 2 check band.yaml
said "needs a 'velocity_threshold': the width of the band"
rm -f slide.yaml loose.yaml band.yaml none.*

section "check"
code 0 check links.yaml
printed "degrees of freedom   2"
code 0 check links.yaml --json
ok "JSON" valid_json .out
printed '"valid": true'
code 0 check links.yaml --quiet
ok "quiet" test ! -s .out
sed 's/mass: 1,/mas: 1,/' links.yaml >wrong.yaml
code 2 check wrong.yaml
code 2 check wrong.yaml --set pin=1
ok "the place of an error" grep -qE '^wrong.yaml:6:[0-9]+: error: .*mass' .err
ok "a caret" grep -qE '^ *\^' .err
code 2 check wrong.yaml --json
ok "JSON of an error" valid_json .out
printed '"valid": false'
printf 'detent: [1\n' >syntax.yaml
code 2 run syntax.yaml
sed 's/mass: 1,/mass: heavy,/; s/pin: 0.02,/pin: 0.02, heavy: 1,/' links.yaml >heavy.yaml
code 0 check heavy.yaml
code 1 check heavy.yaml --set heavy=-1
ok "the place of the error" grep -qE '^heavy.yaml:6:[0-9]+: error: .*negative' .err
said "the file alone is valid"
"$detent" check - --set heavy=-1 <heavy.yaml >.out 2>.err
ok "the same from standard input" test $? = 1
code 3 check nowhere.yaml
said "nowhere.yaml"
code 3 run .
sed 's/static: 0.8/static: 0.2/' links.yaml >doubtful.yaml
code 0 check doubtful.yaml
ok "a warning" grep -qE '^doubtful.yaml:[0-9]+:[0-9]+: warning: .*elbow' .err
code 0 check doubtful.yaml --quiet
ok "no warning" test ! -s .err

section "errors for programs"
failed 2 model wrong.yaml
printed '"file": "wrong.yaml"'
printed '"line": 6'
printed '"column": 11'
failed 2 syntax syntax.yaml
failed 3 io nowhere.yaml
failed 1 argument links.yaml --set pine=1
failed 1 argument links.yaml --rtol 2
failed 1 argument links.yaml --end -1
failed 3 io links.yaml -o nowhere/links
failed 1 argument links.yaml -o /dev/links
code 2 run wrong.yaml --json -o -
ok "nothing in place of a table" test ! -s .out
tail -n 1 .err >.line
ok "JSON is the last line" valid_json .line
ok "JSON is the last line" grep -q '"exit_code": *2' .line
code 2 check wrong.yaml --json
printed '"exit_code": 2'
printed '"code": "model"'
rm -f wrong.yaml syntax.yaml doubtful.yaml heavy.yaml

finish
