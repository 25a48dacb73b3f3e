# bash completion for detent

_detent() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local words=()
    COMPREPLY=()

    if ((COMP_CWORD == 1)); then
        words=(run check linearize inverse equilibrium kinematics assemble range compare write import report outputs plot animate version help --help --version)
    else
        case $previous in
        -o | --output | --motion | --write)
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return
            ;;
        --base) words=(as-is fixed floating) ;;
        --linear-solver) words=(tree dense) ;;
        --integrator) words=(ida erk auto euler rk4 fixed) ;;
        --locked-joints) words=(weld constrain) ;;
        --events-format) words=(csv jsonl) ;;
        -s | --set | --laws | --joints | --law-key | --velocity | --stretch | --command | --moved | --at | --outputs | --driven | --from | --to | --without | --keyframe | --step | --end | --interval | --rtol | --atol | --max-step | --max-solves | --max-data | --size | --font) return ;;
        *)
            case ${COMP_WORDS[1]}:$current in
            run:-*)
                words=(--output --set --end --interval --rtol --atol --max-step --integrator --step --max-solves --linear-solver
                    --locked-joints --events-format --trace-search --record --report --max-data --json --quiet --help)
                ;;
            linearize:-*) words=(--at --outputs --set --json --quiet --help) ;;
            inverse:-*) words=(--at --motion --driven --hold --set --json --quiet --help) ;;
            equilibrium:-*) words=(--at --hold --stiction --interval --set --json --quiet --help) ;;
            kinematics:-*) words=(--driven --from --to --step --outputs --set --json --quiet --help) ;;
            assemble:-*) words=(--write --branches --keep --set --json --quiet --help) ;;
            range:-*) words=(--driven --from --to --set --json --quiet --help) ;;
            compare:-*)
                words=(--laws --joints --law-key --velocity --stretch --command --moved --output --record --set --end
                    --step --interval --rtol --atol --max-step --json --quiet --help)
                ;;
            import:-*) words=(--output --base --without --keyframe --balance --quiet --help) ;;
            animate:-*) words=(--output --quiet --help) ;;
            plot:-*) words=(--output --outputs --size --font --quiet --help) ;;
            outputs:-*) words=(--output --help) ;;
            report:-*) words=(--output --max-data --quiet --help) ;;
            write:-*) words=(--output --set --quiet --help) ;;
            check:-*) words=(--set --json --quiet --help) ;;
            help:*) words=(run check linearize inverse equilibrium kinematics assemble range compare write import report outputs plot animate version help) ;;
            run:* | check:* | linearize:* | inverse:* | equilibrium:* | kinematics:* | assemble:* | range:* | compare:* | write:*)
                mapfile -t COMPREPLY < <(
                    compgen -f -X '!*.@(yaml|yml)' -- "$current"
                    compgen -d -- "$current"
                )
                return
                ;;
            plot:*)
                mapfile -t COMPREPLY < <(
                    compgen -f -X '!*.@(nc|csv)' -- "$current"
                    compgen -d -- "$current"
                )
                return
                ;;
            report:* | outputs:* | animate:*)
                mapfile -t COMPREPLY < <(
                    compgen -f -X '!*.nc' -- "$current"
                    compgen -d -- "$current"
                )
                return
                ;;
            import:*)
                mapfile -t COMPREPLY < <(
                    compgen -f -X '!*.@(urdf|xml)' -- "$current"
                    compgen -d -- "$current"
                )
                return
                ;;
            esac
            ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "${words[*]}" -- "$current")
}

complete -o filenames -F _detent detent
