#!/usr/bin/env python3
"""Answers in JSON follow docs/answer.schema.json, say why a number is null, and have no NaN. schema.py HIERA-TRANSFORM [HIERA-PREDICT]

Measures of the golden traces, each with all words of --by, and predictions. It needs the package python3-jsonschema."""
import json
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
TRACES = TOP / 'tests/golden/traces'
sys.path.insert(0, str(TOP / 'tests'))

from part import part_of  # noqa: E402

try:
    import jsonschema
except ImportError:
    print('the package python3-jsonschema is not installed')
    sys.exit(77)

SCHEMA = json.loads((TOP / 'docs/answer.schema.json').read_text(encoding='utf-8'))
NUMBERS = {'integer': int, 'bytes': int, 'bytes/s': int, 'seconds': (int, float), 'percent': (int, float), 'number': (int, float)}


def refuse(text):
    raise ValueError(f'{text} is not JSON')


def ask(*command):
    return subprocess.run([*map(str, command), '--format', 'json', '--quiet'], capture_output=True, text=True, timeout=100, check=False)


def questions(program):
    """(measure, word of --by or None) of all measures of one run."""
    measure = None
    for line in subprocess.run([program, '--measure', 'list'], capture_output=True, text=True, check=True).stdout.splitlines():
        if head := re.match(r'([a-z]\S*)  ', line):
            measure = head[1]
            yield measure, None
        for word in re.findall(r'--by (\S+)', line):
            yield from ((measure, one) for one in word.strip(',').split(','))


def wrong_cell(value, kind):
    if kind == 'text':
        return not isinstance(value, str)
    return value is not None and (isinstance(value, bool) or not isinstance(value, NUMBERS[kind]))


def problems(answer):
    """What is wrong with an answer, beside the schema: rows, columns and reasons belong together."""
    for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(answer):
        yield f'{list(error.path)}: {error.message}'[:300]
    tables = {name: rows for name, rows in answer.items() if name not in SCHEMA['properties']}
    if not (set(tables) == set(answer['columns']) == set(answer['unknown'])):
        yield f'tables {sorted(tables)}, columns of {sorted(answer["columns"])}, unknown of {sorted(answer["unknown"])}'
        return
    for name, rows in tables.items():
        columns = answer['columns'][name]
        nulls = {column for row in rows for column, value in row.items() if value is None}
        if nulls != set(answer['unknown'][name]):
            yield f'{name}: null in {sorted(nulls)}, but reasons for {sorted(answer["unknown"][name])}'
        for row in rows:
            if list(row) != list(columns):
                yield f'{name}: a row has {list(row)}, columns are {list(columns)}'
            else:
                yield from (f'{name}: {column} is {value!r}, not {columns[column]}' for column, value in row.items() if wrong_cell(value, columns[column]))


def main(program, predict):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    asked = list(questions(program))
    commands = [(program, TRACES / 'late', TRACES / 'chain', '--measure', 'diff'), (program, TRACES / 'late', TRACES / 'chain', '--measure', 'efficiency'),
                (program, TRACES / 'rules' / 'types', '--validate', '--measure', 'counts')] + ([(predict, 'replay', TRACES / 'late')] if predict else [])
    for trace in part_of(sorted(path.parent for path in TRACES.glob('*/trace0.xml')), 12):
        commands += [(program, trace, '--measure', measure, *(['--by', by] if by else [])) for measure, by in asked]
    answered, wrong = 0, []
    for command in commands:
        done = ask(*command)
        if done.returncode in (2, 3):  # this trace has no answer to it
            continue
        answered += 1
        wrong += [f'{" ".join(map(str, command[1:]))}: {problem}' for problem in problems(json.loads(done.stdout, parse_constant=refuse))]
    print(f'{answered} answers of {len(commands)} commands')
    return wrong + ['hardly any answer'] * (answered < 300)


if __name__ == '__main__':
    sys.exit('\n'.join(main(*sys.argv[1:], *[None] * (3 - len(sys.argv)))) or 0)
