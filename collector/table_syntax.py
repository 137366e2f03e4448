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


def physical_lines(path):
    """Yield (line number, text)."""
    try:
        with open(path, 'rb') as file:
            content = file.read()
    except OSError as error:
        raise TableError(f'{path}: cannot be read: {error.strerror}') from error
    for n, line in enumerate(content.split(b'\n'), 1):
        try:
            yield n, line.decode('utf-8')
        except UnicodeDecodeError as error:
            raise TableError(f'{path}:{n}: is no UTF-8 text') from error


def logical_lines(path):
    """Yield (line number, text) with continuation lines joined and comments dropped."""
    number, text = 0, ''
    for n, raw in physical_lines(path):
        line = raw.split('#', 1)[0].rstrip()
        if not line:
            continue
        if line[0].isspace():
            if not text:
                raise TableError(f'{path}:{n}: goes on with a line, but there is none before it: {line.strip()}')
            text += ' ' + line.strip()
            continue
        if text:
            yield number, text
        number, text = n, line
    if text:
        yield number, text
