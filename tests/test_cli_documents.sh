#!/usr/bin/env bash
# The help of the program; manual, completion and guide know every option and exit code in it. Usage: test_cli_documents.sh DETENT
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"

section "what everybody tries first"
code 0 help
printed "usage: detent COMMAND"
printed "130  interrupted"
code 0 --help
code 0 help run
printed "--trace-search"
code 0 run --help
printed "--trace-search"
code 0 version
ok "version" grep -qE '^detent [0-9]+\.[0-9]+\.[0-9]+$' .out
code 0 --version

section "the documents know every option"
"$detent" help | sed -n '/^commands:/,/^$/p' | awk 'NR > 1 && NF {print $1}' >.commands
while read -r command; do
    "$detent" help "$command"
    [ "$command" = help ] || ok "$command --help is the same" cmp -s <("$detent" help "$command") <("$detent" "$command" --help)
    ok "$command in the manual" grep -qE "^\.(B|BI|BR) \"?$command" "$source_dir/docs/detent.1"
    ok "$command in the guide" grep -qF "detent $command" "$source_dir/docs/command-line.md"
    ok "$command is completed" grep -qE "words=\(.*\<$command\>" "$source_dir/completions/detent.bash"
done <.commands >.out
ok "commands were found" [ "$(wc -l <.commands)" -gt 4 ]
grep -oE -- '--[a-z-]+' .out | sort -u >.options
while read -r option; do
    ok "manual" grep -qF -- "${option//-/\\-}" "$source_dir/docs/detent.1"
    ok "completion" grep -qF -- "$option" "$source_dir/completions/detent.bash"
    ok "guide" grep -qF -- "$option" "$source_dir/docs/command-line.md"
done <.options
"$detent" help >.out
while read -r number _; do
    ok "exit code $number in the guide" grep -q "| $number |" "$source_dir/docs/command-line.md"
done < <(sed -n '/^exit codes/,$p' .out | tail -n +2)

finish
