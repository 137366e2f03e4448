"""Compare the elements that a program expects in its trace (expect.h) with those in the trace."""

import os
import re
import shlex

from expect.judgement import Failure

TIMES = ('start_time', 'finish_time')
WORD, HARD = re.compile(r"(?:[^ ']+|'[^']*')+"), re.compile(r'["\\\t\n\r]')


def read(path):
    """[(depth, element, {attribute: value})]"""
    rows = []
    with open(path, encoding='utf-8') as file:
        for line in file:
            line = line.strip()
            if line.startswith('+'):
                number, _, rest = line[1:].partition(' ')
                rows[-1][2]['line'] = number
                rows[-1][2].update(pairs(rest))
            elif line:
                depth, element, name, number, rest = line.split(' ', 4)
                rows.append((int(depth), element, dict(pairs(rest), file=name, line=number)))
    return rows


def pairs(text):
    return dict(word.split('=', 1) for word in words_of(text))


def words_of(text):
    """As shlex.split, which took longer than all the rest."""
    if HARD.search(text) or text.count("'") % 2:
        return shlex.split(text)
    return [word.replace("'", '') for word in WORD.findall(text)]


def differences(expected, depth, element):
    """How an element of the trace differs from the expected one."""
    wanted_depth, tag, wanted = expected
    actual = {k: v for k, v in element.attrib.items() if k not in TIMES}
    if (wanted_depth, tag) != (depth, element.tag):
        return [f'depth and element: expected {wanted_depth} {tag}, actual {depth} {element.tag}']
    if tag == 'hieraOOPS':
        wanted.pop('operation', None)  # OOPS elements have a class and a method instead
    if wanted == actual:
        return []
    found = []
    for name in sorted(set(wanted) | set(actual)):
        if name not in actual:
            found.append(f'{name}: expected {wanted[name]!r}, actual absent')
        elif name not in wanted:
            found.append(f'{name}: expected absent, actual {actual[name]!r}')
        elif not same(wanted[name], actual[name]):
            found.append(f'{name}: expected {wanted[name]!r}, actual {actual[name]!r}')
    return found


def same(wanted, actual):
    """Compare two values. The expected value * matches any. In expectations, line ends and tabs are written \\n, \\r and \\t."""
    if wanted in ('*', actual):
        return True
    actual = actual.replace('\n', '\\n').replace('\r', '\\r').replace('\t', '\\t')
    words = wanted.split(' '), actual.split(' ')
    return wanted == actual or len(words[0]) == len(words[1]) and all(w in ('*', a) for w, a in zip(*words))


def describe(attributes):
    return f'{attributes.get("operation")} ({attributes.get("file")}:{attributes.get("line")})'


def check(result, traces):
    """Compare the traces of all ranks with the expectations that the ranks wrote. Return how many elements agree."""
    return compare([read(os.path.join(result.traces, f'expect{rank}')) for rank in range(len(traces))], traces)


def compare(rows, traces):
    """Likewise, with the expectations of each rank as an argument."""
    messages, n = [], 0
    for rank, (expected, trace) in enumerate(zip(rows, traces)):
        actual = trace.operations()
        for row, (depth, element) in zip(expected, actual):
            n += 1
            found = differences(row, depth, element)
            if not found:
                continue
            messages.append(f'rank {rank}: {describe(row[2])}: ' + '; '.join(found))
            if (row[2].get('operation'), row[2]['line']) != (element.get('operation'), element.get('line')):
                messages.append(f'  the trace has {describe(element.attrib)} here: the rest is not compared')
                break
        if len(expected) != len(actual):
            messages.append(f'rank {rank}: operations: expected {len(expected)}, actual {len(actual)}')
            messages += [f'  also in the trace: {describe(e.attrib)}' for _, e in actual[len(expected):][:3]]
            messages += [f'  not in the trace: {describe(r[2])}' for r in expected[len(actual):][:3]]
    if messages:
        raise Failure('\n'.join(messages[:40]))
    return n
