"""Read the expected elements of a trace from the comments of a Fortran program. A line

    !> send count=4 type=MPI_INTEGER dest={next} tag=7 comm=MPI_COMM_WORLD bytes=16

describes the call on the next line that is not a comment. A value with blanks is written '…'; the value * matches any value. A
line `!> + …` adds attributes to the line above. Text in {…} is a Python expression with rank, size, next, prev, mpi and
binding. `!> [rank == 0] send …` holds if the condition is true. `!> (hieraRegion 'time step' level=app` opens a region, and
`!> )` closes it. `!> < barrier line=53 …`: a callback of the call above makes this call, in line 53. Each call is made once, in the order of the source.

Programs pass elements of arrays to output arguments instead of scalars: gfortran gives a call with a scalar INTENT(OUT)
argument no line of its own (docs/format.md)."""

import os
import re

from expect import expectations

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'fortran')


def names_of(program):
    """(path of the source, binding) of a program such as test-fortran-mpi_f08-openmpi"""
    _, source, binding, *_ = os.path.basename(program).split('-')
    return os.path.join(PROGRAMS, source + '.F90'), binding


def expected(path, known):
    """[(depth, element, {attribute: value})], as returned by expectations.read()"""
    rows, depth, waiting = [], 0, []
    for number, text in enumerate(open(path, encoding='utf-8'), 1):
        said = re.match(r'\s*!> (?:\[(.*?)\] )?(.*)', text)
        if not said:
            if text.strip() and not text.lstrip().startswith(('!', '#')):
                for row in waiting:
                    row[2]['line'] = str(number)
                waiting = []
            continue
        if said.group(1) and not eval(said.group(1), dict(known)):
            continue
        rest = re.sub(r'\{(.*?)\}', lambda m: str(eval(m.group(1), dict(known))), said.group(2).strip())
        if rest == ')':
            depth -= 1
            continue
        word, _, attributes = rest.partition(' ')
        if word == '<':
            rows.append((depth + 1, 'hieraMPI', dict(expectations.pairs('operation=' + attributes), file=os.path.basename(path))))
            continue
        if word == '+':
            rows[-1][2].update(expectations.pairs(attributes))
            continue
        element = 'hieraMPI'
        if word.startswith('('):
            element = word[1:]
            attributes = 'operation=' + attributes
        else:
            attributes = f'operation={word} {attributes}'
        row = (depth, element, dict(expectations.pairs(attributes), file=os.path.basename(path)))
        rows.append(row)
        waiting.append(row)
        depth += element != 'hieraMPI'
    return rows
