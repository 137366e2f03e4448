"""Names with two meanings: types, functions, constants and macros that other files can see. Each means one thing in the whole tree."""

import collections
import re

NOISE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
TYPEDEF = re.compile(r'typedef (?:struct|union|enum) (\w+)')
ATTRIBUTE = re.compile(r' ?__attribute__ ?\(\((?:[^()]|\([^()]*\))*\)\)')


def statements(text):
    """Statements of file scope, each in one line; a function is one, with its body."""
    depth = start = 0
    for found in re.finditer(r'[{}();]', text):
        depth += {'{': 1, '(': 1, '}': -1, ')': -1, ';': 0}[found[0]]
        if depth or found[0] not in '};':
            continue
        statement = re.sub(r'\s+', ' ', text[start:found.end()]).strip()
        if found[0] == ';' or is_function(statement):
            yield ATTRIBUTE.sub('', statement) if '__attribute__' in statement else statement
            start = found.end()


def is_function(statement):
    head = statement.partition('{')[0]
    return statement.endswith('}') and '=' not in head and head.rstrip().endswith(')')


def types(statement):
    """Name and definition of each type that a statement defines."""
    for found in re.finditer(r'\b(?:struct|union|enum) (\w+) (\{.*)', statement):
        yield found[1], found[2]
    if statement.startswith('typedef'):
        name = re.search(r'\(\*(\w+)\)\(' if '{' not in statement and '(*' in statement else r'(\w+)(?:\[[^]]*\]| ?\([^()]*\))*;$', statement)
        tag = TYPEDEF.match(statement)
        if name and not (tag and tag[1] == name[1]):
            yield name[1], statement


def constants(statement):
    """Name and value of each constant of an enumeration; without a value its type."""
    for found in re.finditer(r'\benum ?\w* ?\{([^{}]*)\}([^;]*)', statement):
        for name, value in re.findall(r'(?:^|,) ?(\w+) ?(?!\()(?:=([^,]*))?(?=,|$)', found[1].strip()):
            yield name, value.strip() or found[0]


def macros(text):
    defined = set(re.findall(r'^[ \t]*# *define (\w+)', text, re.M))
    return defined - set(re.findall(r'^[ \t]*# *undef (\w+)', text, re.M))


class Names:
    def __init__(self, includes):
        """@param includes  gives the files that a file includes"""
        self.includes = includes
        # Name → file → what it is there.
        self.types, self.others, self.functions = (collections.defaultdict(dict) for _ in range(3))
        self.declared = collections.defaultdict(set)

    def add(self, path, text):
        header = path.suffix == '.h'
        for name in macros(text) if header else ():
            self.others[name][path] = path
        for statement in statements(NOISE.sub(' ', text.replace('extern "C" {', ''))):
            head = statement.partition('{')[0]
            function = re.search(r'(\w+) ?\(', head)
            if is_function(statement):
                if not re.search(r'\bstatic\b', head) and function[1] != 'main':
                    self.functions[function[1]][path] = head
                continue
            for name, definition in types(statement) if re.match('typedef|struct|union|enum|extern', statement) else ():
                self.types[name][path] = definition
            for name, value in constants(statement) if header and 'enum' in statement else ():
                self.others[name][path] = value
            if header and function:
                self.declared[function[1]].add(path)

    def meanings(self, name):
        """What a function is: the header that declares it. Files of which one is built in place of the other have the same."""
        return {next(iter(self.declared[name] & set(self.includes(path))), head) for path, head in self.functions[name].items()}

    def twice(self):
        """Name and files of each name with two meanings. Types of a file alone may have short names like Part."""
        for name, files in self.types.items():
            if len(set(files.values())) > 1 and (name.startswith('Hiera') or sum(path.suffix == '.h' for path in files) > 1):
                yield name, files
        for name, files in self.others.items():
            if len(set(files.values())) > 1:
                yield name, files
        for name, files in self.functions.items():
            if len(files) > 1 and len(self.meanings(name)) > 1:
                yield name, files


def check(paths, read, includes):
    """Print the names with two meanings. @return exit status"""
    names = Names(includes)
    for path in paths:
        names.add(path, read(path))
    twice = sorted(names.twice())
    for name, files in twice:
        print(f'{name}: {", ".join(sorted(map(str, files)))}')
    print(f'{len(twice)} names with two meanings')
    return 1 if twice or min(len(names.types), len(names.functions)) < 1000 else 0
