#!/usr/bin/env bash
# What the Markdown files show is so: blocks run, links lead somewhere (scripts/test-docs). And that is looked at: a page with a mistake of each
# kind is found out. Usage: test_docs.sh DETENT
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/support_cli.sh
source "$(dirname "$0")/support_cli.sh"
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }

section "mistakes are found"
sed 's/^    //' >page.md <<'PAGE'
    # Something
    [a page](nowhere.md), [a place](#else)
    ```
    no language
    ```
    ```yaml
    parameters: {a: 1}
    ```
    <!-- complete: -->
    ```yaml
    bodies: {a: {mas: 1}}
    ```
    <!-- wrong: so it is said -->
    ```yaml
    detent: 1
    gravity: [0, 0, 0]
    bodies: {a: {mass: 1}}
    joints: {j: {type: prismatic, base: ground, follower: a}}
    ```
    ```sh
    detent run --swiftly arm.yaml
    scripts/nothing
    ```
    ```console
    $ detent check nothing.yaml
    $ echo 1 2.503
    1 2.5
    $ echo 1 2.7
    1 2.5
    $ echo 3; echo 4
    3
    $ printf "1\n2\n8\n"
    1
    ...
    7
    ```
    ```c
    detent_advance(1);
    ```
    ```python
    x = = 1
    ```
    ```text
    no end
PAGE
"$source_dir/scripts/test-docs" "$detent" page.md >.out 2>&1
exited 1 $? "a page of mistakes"
while read -r line; do
    printed "$line"
done <<'FOUND'
page.md:2: there is no nowhere.md
page.md:2: there is no heading for #else
page.md:3: '' is none of
page.md:6: a part of a mechanism, and no comment completes it
unknown key 'mas'
page.md:14: is said to be wrong, and is not
page.md:21: detent run has no option --swiftly
page.md:22: there is no scripts/nothing
page.md:25: exit code 3
page.md:28: shown:   1 2.5
page.md:30: shown:   the end
page.md:32: shown:   7
page.md:37: does not compile
page.md:40: Python: invalid syntax
page.md:43: this block does not end
15 failed
FOUND

section "packages"
for package in $(sed -n '/^ *\[build\]="/,/"$/p' "$source_dir/scripts/install-deps" | tr -d '"' | sed 's/.*\]=//'); do
    ok "$package stands in docs/install.md" grep -qF "\`$package\`" "$source_dir/docs/install.md"
done

section "the pages"
cd "$source_dir" || exit 1
checks=$((checks + 1))
scripts/test-docs "$detent" || failures=$((failures + 1))
finish
