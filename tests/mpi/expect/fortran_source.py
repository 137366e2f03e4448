"""What the comments of a Fortran program say that its trace must contain. A line

    !> send count=4 type=MPI_INTEGER dest={next} tag=7 comm=MPI_COMM_WORLD bytes=16

says it of the call on the next line that is no comment; a value with blanks stands in '…', the value * is any, `!>` and a
blank operation `+` goes on with the attributes above. What stands in {…} is Python with rank, size, next, prev, mpi and
binding. `!> [rank == 0] send …` holds where the condition does. A region is `!> (hieraRegion 'time step' level=app`, and
`!> )` behind its last operation. Each call is made once, in the order of the source.

Scalars that a call fills are elements of arrays: gfortran gives a call with an INTENT(OUT) argument that is a plain scalar
no line of its own (docs/format.md)."""

import os
import re

from expect import expectations

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'fortran')


def names_of(program):
    """test-fortran-mpi_f08-openmpi → the source's path and the binding."""
    _, source, binding, *_ = os.path.basename(program).split('-')
    return os.path.join(PROGRAMS, source + '.F90'), binding


def expected(path, known):
    """[(depth, element, {attribute: value})], as of expectations.read()."""
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
