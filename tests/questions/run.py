#!/usr/bin/env python3
"""Questions with known answers are answered by what docs/skills/hiera/SKILL.md says, and answers in brief are short: run.py HIERA-TRANSFORM

questions.txt says how a question is written. The skill must name each option, measure and word of --by of the commands, and its own commands must work."""
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from part import part_of  # noqa: E402

TRACES = HERE.parent / 'golden/traces'
SKILL = (HERE.parents[1] / 'docs/skills/hiera/SKILL.md').read_text(encoding='utf-8')
BRIEF_MAX = 2000


def ask(program, command, folder):
    """(exit status, all that a command says)"""
    words = shlex.split(command)
    done = subprocess.run([program, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def blocks():
    """(question, reason, commands, answers)"""
    for text in (HERE / 'questions.txt').read_text(encoding='utf-8').split('\n? ')[1:]:
        question, *lines = text.strip().split('\n')
        yield question, *([line[len(mark):] for line in lines if line.startswith(mark)] for mark in ('because ', '$ ', '= '))


def unknown_words(command):
    """Options, measures and words of --by that the skill does not name."""
    words = shlex.split(command)
    for option, value in zip(words, [*words[1:], '']):
        if option.startswith('--'):
            named = [f'{option} {one}' for one in value.split(',')] if option in ('--measure', '--by', '--format') else [option]
            yield from (name for name in named if not re.search(rf'{re.escape(name)}(?![a-z-])', SKILL) and not (option == '--measure' and f'`--measure {value}`' in SKILL))


def questions(program):
    asked = list(blocks())
    traces = {question.partition(':')[0] for question, *_ in asked}
    if len(asked) != 30 or len(traces) != 10:
        yield f'{len(asked)} questions on {len(traces)} traces'
    for question, reason, commands, answers in asked:
        if not (len(reason) == 1 and 1 <= len(commands) <= 3 and answers):
            yield f'{question}: {len(reason)} reasons, {len(commands)} commands, {len(answers)} answers'
        said = ''.join(ask(program, command, TRACES)[1] for command in commands)
        yield from (f'{question}\n  expected: {answer}\n  found: {said}' for answer in answers if answer not in said)
        yield from (f'{question}: the skill does not name {word}' for command in commands for word in unknown_words(command))


def commands_of_skill(program):
    """Commands in its lines work; those of its blocks are run by tests/contract/documents.py."""
    found = [command for command in re.findall(r'`(hiera-transform [^`]+)`', SKILL) if '--live' not in command]
    if len(found) < 20:
        yield f'{len(found)} commands in the lines of the skill'
    for command in found:
        status, said = ask(program, re.sub(r'\brun\b', '.', command.replace('BEFORE', '../steps').replace('AFTER', '../steps-late')), TRACES / 'late')
        if status not in (0, 1):
            yield f'{command}: exit status {status}, {said}'


def brief(program):
    """Answers in brief are no longer than they may be, and what they name as evidence can be asked."""
    for trace in part_of(sorted(path.parent.relative_to(TRACES) for path in TRACES.glob('**/trace0.xml')), 4):
        for measure in ('summary', 'waits,profile', 'operations', 'efficiency,causes,hang,times'):
            said = subprocess.run([program, str(trace), '--measure', measure, '--format', 'brief', '--quiet'], cwd=TRACES, capture_output=True, text=True, timeout=60, check=False).stdout
            if len(said) > BRIEF_MAX or not re.search('^(complete|partial): ', said, re.M):
                yield f'{trace}, {measure}: {len(said)} characters\n{said}'
        for evidence in set(re.findall(r' \[(--[^]]+)\]', subprocess.run([program, str(trace), '--format', 'brief'], cwd=TRACES, capture_output=True, text=True, timeout=60, check=False).stdout)):
            status, text = ask(program, f'hiera-transform {trace} {evidence}', TRACES)
            if status not in (0, 1, 3):
                yield f'{trace} {evidence}: exit status {status}, {text}'


if __name__ == '__main__':
    sys.exit('\n'.join(problem for part in (questions, commands_of_skill, brief) for problem in part(str(pathlib.Path(sys.argv[1]).resolve()))) or 0)
