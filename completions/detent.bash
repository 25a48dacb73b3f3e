# bash completion for detent

_detent() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local words=()
    COMPREPLY=()

    if ((COMP_CWORD == 1)); then
        words=(run check version help)
    else
        case $previous in
        -o)
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return
            ;;
        --linear-solver) words=(tree dense) ;;
        --events-format) words=(csv jsonl) ;;
        --set | --end | --interval | --rtol | --atol) return ;;
        *)
            case ${COMP_WORDS[1]}:$current in
            run:-*)
                words=(-o --set --end --interval --rtol --atol --linear-solver --events-format
                    --trace-search --json --quiet)
                ;;
            check:-*) words=(--json) ;;
            run:* | check:*)
                mapfile -t COMPREPLY < <(
                    compgen -f -X '!*.@(yaml|yml)' -- "$current"
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
