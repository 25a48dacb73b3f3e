# What the tests of the program without memory share, beside support_cli.sh: the program that can be refused any piece of memory (tests/refusing).
# shellcheck shell=bash
readonly out_of_memory=7

# Of few variants, as under sanitizers, every seventh piece is refused, of half of them every second; from another one on each time.
case ${DETENT_TEST_VARIANTS:-} in
few) stride=7 ;;
half) stride=2 ;;
*) stride=1 ;;
esac
turn=0

files() { find . -type f ! -name ".*" | sort; }

mentions_memory() { [[ $(<.err) == *[Mm]emory* ]]; }

# refuse INPUT ARGUMENT...: with all memory the program is done; without any one piece it says what is missing. `keeps=yes` before it: what
# was done by then may be kept; `beyond=N`: the first N pieces are those of another command, which is refused them.
refuse() {
    local input=$1 pieces piece got before
    shift
    before=$(files)
    DETENT_TEST_PIECES=$work/.pieces "$detent" "$@" >.out 2>.err <"$input"
    exited 0 $? "detent $*"
    pieces=$(cat .pieces)
    ok "memory is asked for" [ "$pieces" -gt "${beyond:-0}" ]
    rm -rf result*
    for ((piece = ${beyond:-0} + turn++ % stride; piece < pieces; piece += stride)); do
        DETENT_TEST_REFUSE=$piece "$detent" "$@" >.out 2>.err <"$input"
        got=$?
        exited $out_of_memory $got "detent $* without piece $piece of $pieces"
        ok "detent $* without piece $piece of $pieces: what is missing" mentions_memory
    done
    [ -n "${keeps:-}" ] || ok "detent $*: no file is left" [ "$(files)" = "$before" ]
    rm -rf result*
}

# block: writes block.yaml, a block that sticks and slips.
block() {
    cat >block.yaml <<'YAML'
detent: 1
name: block
gravity: [0, 0, 0]
parameters: {hold: 2}
inputs: {push: 0}
bodies: {block: {mass: 1}}
joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], spring: {stiffness: 10}}}
stiction: {slide: {kinetic: 1, static: hold, external: "push + 3*sin(5*t)"}}
outputs: [position(slide)]
simulation: {end: 0.2}
YAML
}
