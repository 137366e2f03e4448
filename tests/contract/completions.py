#!/usr/bin/env python3
"""Shells complete all options in --help-all, measures and columns: completions.py FOLDER HIERA_RUN HIERA_WRAP [HIERA_TRANSFORM HIERA_PREDICT [HIERA_IMAGE]]. Shells that are not
installed are skipped."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ZSH = '''
compadd() { while [[ $1 == -* && $1 != -- ]]; do [[ $1 == -S ]] && shift; shift; done; shift; print -l -- $@; }
compset() { :; }; _files() { :; }; _command_names() { :; }; _normal() { print -l normal $words[1] }
service=$1; shift; words=("$@"); CURRENT=$#words
source $FOLDER/_hiera
'''
# hiera-predict has commands with options of their own; without one it is replay.
COMMANDS = {'hiera-predict': [[], ['scale'], ['executable'], ['calibrate']]}
HELPS = {'hiera-predict': ['replay']}
BASH = 'source "$FOLDER/hiera.bash"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hiera "$1"; printf "%s\\n" "${COMPREPLY[@]}"'


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more).stdout


def completed(shell, folder, program, *words):
    """The completions of the last word of a command line."""
    name = program.name
    env = dict(os.environ, FOLDER=str(folder), PATH=f'{program.parent}:{os.environ["PATH"]}', HOME='/nonexistent')
    if shell == 'fish':
        line = ' '.join([name, *words])
        with tempfile.TemporaryDirectory() as home:
            return set(run('fish', '--no-config', '-c', f'source $FOLDER/hiera.fish; complete -C "{line}"', env=dict(env, HOME=home)).replace('\t', '\n').split('\n')) - {''}
    if shell == 'zsh':
        return set(run('zsh', '-f', '-c', ZSH, 'zsh', name, name, *words, env=env).split())
    # bash splits words at '=', too
    split = [part for word in words for part in re.split('(=)', word) if part or not word]
    return set(run('bash', '--norc', '-c', BASH, 'bash', name, name, *split, env=env).split())


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    failures = []
    with tempfile.TemporaryDirectory() as place:
        programs = []
        for name, path in zip(('hiera-run', 'hiera-wrap', 'hiera-transform', 'hiera-predict', 'hiera-image'), sys.argv[2:]):
            (pathlib.Path(place) / name).write_text(f'#!/bin/sh\nexec {sys.executable if path.endswith(".py") else ""} {os.path.abspath(path)} "$@"\n')
            (pathlib.Path(place) / name).chmod(0o755)
            programs.append(pathlib.Path(place) / name)
        for shell in filter(shutil.which, ('bash', 'zsh', 'fish')):
            for program in programs:
                for command in COMMANDS.get(program.name, [[]]):
                    told = {word + ('=' if equals else '') for word, equals in re.findall(r'^ *(?:-\w(?: [A-Z]+)?, )?(--[a-z-]+)(=?)', run(program, *command or HELPS.get(program.name, []), '--help-all'), re.M)}
                    offered = {word for word in completed(shell, folder, program, *command, '--') if word.startswith('--')}
                    if not told or offered != told:
                        failures.append(f'{shell}, {program.name} {command}: --help-all has {sorted(told - offered)}, completion {sorted(offered - told)}')
            if len(programs) > 2:
                listed = run(programs[2], '--measure', 'list')
                measures = set(re.findall(r'^([a-z]\S*)', listed, re.M))
                columns = set(re.split(r'[,\s]+', ' '.join(re.findall(r'columns: (\S+(?:\n {20,}[a-z]\S*)*)', listed)).strip(',')))
                for option, words in (('--measure', measures), ('--columns', columns), ('--sort', columns)):
                    for given in ((option, ''), (f'{option}=',)):
                        offered = {word.removeprefix(f'{option}=') for word in completed(shell, folder, programs[2], *given)}
                        if not words <= offered:
                            failures.append(f'{shell}, hiera-transform {" ".join(given)}: {sorted(words - offered)} are missing')
            if len(programs) > 3 and not {'scale'} <= completed(shell, folder, programs[3], *([''] if shell == 'zsh' else ['sc'])):
                failures.append(f'{shell}, hiera-predict: its commands are not completed')
            offered = completed(shell, folder, programs[0], 'mpiru' if shell != 'zsh' else 'x', *([''] if shell == 'zsh' else []))
            if not {'mpirun.openmpi', 'mpirun.mpich', 'mpirun', 'normal'} & offered:
                failures.append(f'{shell}, hiera-run: no command is completed: {sorted(offered)[:5]}')
    print('tried:', ' '.join(filter(shutil.which, ('bash', 'zsh', 'fish'))))
    sys.exit('\n'.join(failures) or 0)


if __name__ == '__main__':
    main()
