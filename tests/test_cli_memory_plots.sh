#!/usr/bin/env bash
# Plots of tables without memory: every piece that the program asks for is refused in its turn. Usage: test_cli_memory_plots.sh REFUSING, the
# program linked with tests/refusing/refuse.c.
tests_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/support_cli.sh
source "$tests_dir/support_cli.sh"
# shellcheck source=tests/support_cli_refuse.sh
source "$tests_dir/support_cli_refuse.sh"
block

# Each process takes its time to start: what another command asks for, too, is refused there.
mkdir one other
code 0 run block.yaml -q --end 0.05 --interval 0.01 -o one/
code 0 run block.yaml -q --end 0.05 --interval 0.01 --set hold=1 -o other/
refuse /dev/null plot one -q -o result.svg
beyond=30 refuse /dev/null plot one/block.csv other/block.csv --outputs 'position(slide)' -o result.svg
if "$detent" plot one -q -o .try.png 2>.err; then # else this build has no cairo
    beyond=37 refuse /dev/null plot one/block.csv -q -o result.png
fi
finish
