"""Read a trace and check the properties that all traces have."""

import os
import subprocess
import xml.etree.ElementTree as ET

from expect.judgement import Failure, expect_true
from expect.loops import unfold

TIMED = ('hieraMPI', 'hieraOOPS', 'hieraRegion')
WITH_TIMES = frozenset(TIMED + ('hieraFlush',))
COMMS, TYPES = frozenset(('comm', 'newcomm', 'comm1', 'comm2', 'local_comm', 'peer_comm')), frozenset(('type', 'stype', 'rtype', 'oldtype', 'newtype'))
DECLARED, LISTS = COMMS | TYPES, frozenset(('requests', 'pending'))
DTD = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'dtd', 'trace.dtd')


def validate(paths):
    """Validate against the DTD that lies beside the trace."""
    run = subprocess.run(['xmllint', '--huge', '--noout', '--valid', '--stream', *paths], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise Failure(f'xmllint --valid: {run.stderr[:3000]}')


def seconds(ns):
    digits = f'{ns:010}'
    return f'{digits[:-9]}.{digits[-9:]}'


def expand(root):
    """Replace calls in compact encoding by calls in full encoding."""
    declared = {}
    for parent in list(root.iter()) if next(root.iter('hieraCall'), None) is not None else ():
        declarations = parent.findall('hieraCall') if len(parent) > 0 else ()
        for element in declarations:
            call = dict(element.items())
            name = call.pop('id')
            expect_true(name not in declared, f'hieraCall {name} is declared once')
            declared[name] = 'hieraOOPS' if 'class' in call else 'hieraRegion' if 'level' in call else 'hieraMPI', call
        if declarations:
            parent[:] = [element for element in parent if element.tag != 'hieraCall']
    for element in root.iter('c'):
        own = element.attrib
        element.tag, call = declared[own.pop('r')]
        start, duration = int(own.pop('t')), own.pop('d')
        element.attrib = {**call, **own, 'start_time': seconds(start), 'finish_time': seconds(start + int(duration)) if duration else ''}


def complete(root, keep_paths):
    """Replace requests that are written as distances by their numbers, and paths of source files by their names unless `keep_paths` is true."""
    last = 0

    def number(word):
        return str(last + int(word)) if word[0] in '+-' else word

    for element in root.iter():
        attributes = element.attrib
        if 'file' in attributes and not keep_paths:
            attributes['file'] = attributes['file'].rpartition('/')[2]
        if 'request' in attributes and element.tag != 'hieraChannel':
            attributes['request'] = request = number(attributes['request'])
            last = int(request)
        elif element.tag == 'hieraThread':
            last = 0
        for name in LISTS.intersection(attributes):
            words = attributes[name].split(' ')
            attributes[name] = ' '.join('..'.join(map(number, word.split('..'))) if word.strip('.') else word for word in words)


class Trace:
    """A trace that was read. Names of source files lose their folders, which depend on the build, unless `keep_paths` is true."""

    def __init__(self, path, keep_paths=False):
        self.path = path
        try:
            self.root = ET.parse(path).getroot()
        except (OSError, ET.ParseError) as error:
            raise Failure(f'{path}: {error}') from error
        self.n_loops = unfold(self.root)
        expand(self.root)
        complete(self.root, keep_paths)

    def walk(self, element=None, depth=0, without=None):
        """(depth, element) of all elements below, in document order; without recursion, because regions may be nested deeply. Not of those with the tag `without`, nor of what they have."""
        open_ = [(depth, iter(self.root if element is None else element))]
        while open_:
            depth, children = open_[-1]
            for child in children:
                if child.tag == without:
                    continue
                yield depth, child
                if len(child) > 0:
                    open_.append((depth + (child.tag != 'hieraTurns'), iter(child)))
                    break
            else:
                open_.pop()

    def operations(self):
        """(depth, element) of the operations of the main thread."""
        return [(d, e) for d, e in self.walk(without='hieraThread') if e.tag in TIMED]

    def all(self, tag='hieraMPI', **attributes):
        found = list(self.root.iter(tag))
        for name, value in attributes.items():
            name, value = name.rstrip('_'), str(value)
            found = [e for e in found if e.get(name) == value]
        return found

    def one(self, tag='hieraMPI', **attributes):
        found = self.all(tag, **attributes)
        if len(found) != 1:
            raise Failure(f'{self.path}: expected one {tag} with {attributes}, actual {len(found)}')
        return found[0]

    def lost(self):
        return {e.get('reason'): int(e.get('count')) for e in self.root.iter('hieraLost')}

    def comms(self):
        """{id: (ranks, remote, last name)}"""
        return {e.get('id'): (e.get('ranks'), e.get('remote'), e.get('name')) for e in self.root.iter('hieraComm')}

    def types(self):
        return {e.get('id'): (e.get('size'), e.get('extent'), e.get('name')) for e in self.root.iter('hieraType')}

    # --- properties that all traces have ---

    def check_sound(self):
        self.check_section(self.walk(without='hieraThread'))
        for thread in self.root.iter('hieraThread'):
            self.check_section(self.walk(thread))

    def check_section(self, elements):
        """Start times never decrease in document order, and a child lies within its parent; not of what stands for several calls.
        Communicators and datatypes of the program are declared before their first use."""
        last, open_, comms, types = 0.0, [], {'MPI_COMM_NULL', '(other)'}, set()
        for depth, e in elements:
            attributes = e.attrib
            if e.tag in WITH_TIMES:
                start, finish = attributes['start_time'], attributes['finish_time']
                begin, end = float(start), float(finish) if finish else float('inf')
                del open_[depth:]
                if begin < last and 'calls' not in attributes:
                    self.blame(e, f'starts before the element above it ({last})')
                if end < begin:
                    self.blame(e, 'ends before it starts')
                if open_ and 'calls' not in attributes and (begin < open_[-1][0] or end > open_[-1][1]):
                    self.blame(e, f'outside its parent {open_[-1]}')
                open_.append((begin, end))
                last = begin
            elif e.tag == 'hieraComm':
                comms.add(e.get('id'))
            elif e.tag == 'hieraType':
                types.add(e.get('id'))
            for name in DECLARED.intersection(attributes):
                value = attributes[name]
                if value not in comms if name in COMMS else '_dtype' in value and value not in types:
                    self.blame(e, f'{name} is not declared above')

    def blame(self, element, what):
        raise Failure(f'{self.path}: {ET.tostring(element, "unicode")[:300]}: {what}')
