"""What the tables of all levels have in common: lines that may be continued, parameters between commas."""


class TableError(Exception):
    pass


def split_parameters(text):
    """Split at commas outside braces and brackets."""
    parts, depth, current = [], 0, ''
    for c in text:
        depth += c in '{[('
        depth -= c in '}])'
        if c == ',' and depth == 0:
            parts.append(current)
            current = ''
        else:
            current += c
    parts.append(current)
    return [p.strip() for p in parts if p.strip()]


def logical_lines(path):
    """Yield (line number, text) with continuation lines joined and comments dropped."""
    number, text = 0, ''
    with open(path, encoding='utf-8') as file:
        for n, raw in enumerate(file, 1):
            line = raw.split('#', 1)[0].rstrip()
            if not line:
                continue
            if line[0].isspace():
                text += ' ' + line.strip()
                continue
            if text:
                yield number, text
            number, text = n, line
    if text:
        yield number, text
