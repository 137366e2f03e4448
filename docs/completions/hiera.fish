# fish completion of hiera-image, hiera-predict, hiera-run, hiera-transform and hiera-wrap. Options are those of --help-all, measures and columns those of --measure list.

function __hiera_options
    set -l tokens (commandline -opc)
    set -l asked $tokens[1]
    if string match -q -- '*hiera-predict' $tokens[1]
        # The options of the command of its own in the line.
        contains -- "$tokens[2]" scale executable calibrate; and set -a asked $tokens[2]; or set -a asked replay
    end
    command $asked --help-all 2>/dev/null | sed -n 's/^ *\(-[a-zA-Z]\( [A-Z]*\)\{0,1\}, \)\{0,1\}\(--[a-z-]*=\{0,1\}\).*/\3/p'
end

function __hiera_measures
    set -l tokens (commandline -opc)
    command $tokens[1] --measure list 2>/dev/null | sed -n 's/^\([a-z][^ ]*\).*/\1/p'
end

function __hiera_columns
    set -l tokens (commandline -opc)
    command $tokens[1] --measure list 2>/dev/null | sed -n 's/^ *columns: //p; s/^ \{20,\}\([a-z][a-z0-9,_-]*\)$/\1/p' | tr ',' '\n'
end

function __hiera_is_option
    string match -q -- '-*' (commandline -ct)
end

for command in hiera-image hiera-predict hiera-run hiera-transform hiera-wrap
    complete -c $command -n __hiera_is_option -f -a '(__hiera_options)'
end
complete -c hiera-transform -n '__fish_prev_arg_in -m --measure' -x -a '(__hiera_measures)'
complete -c hiera-transform -n 'string match -q -- "--measure=*" (commandline -ct)' -f -a '--measure=(__hiera_measures)'
complete -c hiera-transform -n '__fish_prev_arg_in --columns --sort' -x -a '(__hiera_columns)'
for option in --columns --sort
    complete -c hiera-transform -n "string match -q -- '$option=*' (commandline -ct)" -f -a "$option=(__hiera_columns)"
end
complete -c hiera-predict -n 'test (count (commandline -opc)) -eq 1' -a 'replay scale executable calibrate'
complete -c hiera-run -n 'not __hiera_is_option' -x -a '(__fish_complete_subcommand)'
