# bash completion of hiera-image, hiera-predict, hiera-run, hiera-transform and hiera-wrap.

# Help of command $1; of hiera-predict, that of the command of its own in the line.
_hiera_help() {
    if [[ ${1##*/} == hiera-predict ]]; then
        "$1" "$(_hiera_predict_command)" --help-all 2>/dev/null
    else
        "$1" --help-all 2>/dev/null
    fi
}

_hiera_predict_command() {
    case ${COMP_WORDS[1]} in
    scale | executable | calibrate) echo "${COMP_WORDS[1]}" ;;
    *) echo replay ;;
    esac
}

# Options of command $1, those with a value with their = (or as they stand).
_hiera_options() {
    _hiera_help "$1" | sed -n 's/^ *\(-[a-zA-Z]\( [A-Z]*\)\{0,1\}, \)\{0,1\}\(--[a-z-]*=\{0,1\}\).*/\3/p'
}

# Values of option $2 of command $1: those of --help-all (a|b|c), measures, columns, or none.
_hiera_values() {
    case $2 in
    --measure | -m) "$1" --measure list 2>/dev/null | sed -n 's/^\([a-z][^ ]*\).*/\1/p' ;;
    --columns | --sort) "$1" --measure list 2>/dev/null | sed -n 's/^ *columns: //p; s/^ \{20,\}\([a-z][a-z0-9,_-]*\)$/\1/p' | tr ',' '\n' ;;
    *) _hiera_help "$1" | sed -n "s/^.*[ ,]$2=\([a-z]*|[a-z|]*\) .*/\1/p" | tr '|' '\n' ;;
    esac
}

_hiera() {
    local command=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} option='' head='' i
    # "--measure=times" comes as three words.
    if [[ $word == = ]]; then
        option=$before word=''
    elif [[ $before == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $before == -* ]]; then
        option=$before
    fi
    COMPREPLY=()
    if [[ ${command##*/} == hiera-run ]]; then
        # Behind the options stands a command with words of its own.
        for ((i = 1; i < COMP_CWORD; i++)); do
            if [[ ${COMP_WORDS[i]} != -* && ${COMP_WORDS[i]} != = && ${COMP_WORDS[i - 1]} != = && ! ${COMP_WORDS[i - 1]} =~ ^--(dir|library|level)$ ]]; then
                declare -F _command_offset >/dev/null && _command_offset "$i"
                return
            fi
        done
    fi
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_hiera_options "$command")" -- "$word")
        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
        return
    fi
    if [[ -n $option ]]; then
        [[ $word != *,* ]] || head=${word%,*},
        mapfile -t COMPREPLY < <(compgen -P "$head" -W "$(_hiera_values "$command" "$option")" -- "${word##*,}")
    elif [[ ${command##*/} == hiera-run ]]; then
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    elif [[ ${command##*/} == hiera-predict && $COMP_CWORD -eq 1 && -n $word ]]; then
        mapfile -t COMPREPLY < <(compgen -W 'replay scale executable calibrate' -- "$word")
    fi
}

complete -o default -F _hiera hiera-image hiera-predict hiera-run hiera-transform hiera-wrap
