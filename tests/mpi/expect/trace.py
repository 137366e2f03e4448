"""Read a trace and check the properties that all traces have."""

import os
import subprocess
import xml.etree.ElementTree as ET

from expect.judgement import Failure, expect_true
from expect.loops import unfold

TIMED = ('hieraMPI', 'hieraOOPS', 'hieraRegion')
DTD = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'dtd', 'trace.dtd')


def validate(paths):
    """Validate against the DTD that lies beside the trace."""
    run = subprocess.run(['xmllint', '--huge', '--noout', '--valid', *paths], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise Failure(f'xmllint --valid: {run.stderr[:3000]}')


def seconds(ns):
    return f'{ns // 10**9}.{ns % 10**9:09}'


def expand(root):
    """Replace calls in compact spelling by calls in full spelling."""
    declared = {}
    for parent in root.iter():
        declarations = parent.findall('hieraCall')
        for element in declarations:
            expect_true(element.get('id') not in declared, f'hieraCall {element.get("id")} is declared once')
            declared[element.get('id')] = {k: v for k, v in element.items() if k != 'id'}
        if declarations:
            parent[:] = [element for element in parent if element.tag != 'hieraCall']
    for element in root.iter('c'):
        own = dict(element.items())
        call = declared[own.pop('r')]
        start, duration = int(own.pop('t')), own.pop('d')
        element.attrib.clear()
        element.attrib.update({**call, **own}, start_time=seconds(start), finish_time=seconds(start + int(duration)) if duration else '')
        element.tag = 'hieraOOPS' if 'class' in call else 'hieraRegion' if 'level' in call else 'hieraMPI'
    number_requests(root)


def number_requests(root):
    """Replace requests that are written as distances by their numbers."""
    last = 0

    def number(word):
        return str(last + int(word)) if word[0] in '+-' else word

    for element in root.iter():
        if element.tag == 'hieraThread':
            last = 0
        if 'request' in element.attrib and element.tag != 'hieraChannel':
            element.set('request', number(element.get('request')))
            last = int(element.get('request'))
        for name in {'requests', 'pending'} & set(element.attrib):
            words = element.get(name).split(' ')
            element.set(name, ' '.join('..'.join(map(number, word.split('..'))) if word.strip('.') else word for word in words))


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
        for element in [] if keep_paths else self.root.iter():
            if 'file' in element.attrib:
                element.set('file', os.path.basename(element.get('file')))

    def walk(self, element=None, depth=0):
        """(depth, element) of all elements below, in document order; without recursion, because regions may be nested deeply."""
        stack = [(depth, child) for child in reversed(self.root if element is None else element)]
        while stack:
            depth, element = stack.pop()
            yield depth, element
            stack += [(depth + (element.tag != 'hieraTurns'), child) for child in reversed(element)]

    def operations(self):
        """(depth, element) of the operations of the main thread."""
        threads = {e for t in self.root.iter('hieraThread') for e in t.iter()}
        return [(d, e) for d, e in self.walk() if e.tag in TIMED and e not in threads]

    def all(self, tag='hieraMPI', **attributes):
        attributes = {k.rstrip('_'): str(v) for k, v in attributes.items()}
        return [e for e in self.root.iter(tag) if all(e.get(k) == v for k, v in attributes.items())]

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
        for section in [self.root, *self.root.iter('hieraThread')]:
            self.check_times(section)
            self.check_declared(section)

    def check_times(self, section):
        """Start times never decrease in document order, and a child lies within its parent; not of what stands for several calls."""
        last, open_ = 0.0, []
        for depth, e in self.walk(section):
            if e.tag == 'hieraThread' or e.tag not in TIMED + ('hieraFlush',):
                continue
            if section is self.root and self.in_thread(e):
                continue
            start, finish = e.get('start_time'), e.get('finish_time')
            begin, end = float(start), float(finish) if finish else float('inf')
            del open_[depth:]
            if begin < last and e.get('calls') is None:
                self.blame(e, f'starts before the element above it ({last})')
            if end < begin:
                self.blame(e, 'ends before it starts')
            if open_ and e.get('calls') is None and (begin < open_[-1][0] or end > open_[-1][1]):
                self.blame(e, f'outside its parent {open_[-1]}')
            open_.append((begin, end))
            last = begin

    def in_thread(self, element):
        if not hasattr(self, 'threaded'):
            self.threaded = {e for t in self.root.iter('hieraThread') for e in t.iter()}
        return element in self.threaded

    def check_declared(self, section):
        """Communicators and datatypes of the program are declared before their first use."""
        comms, types = set(), set()
        for _, e in self.walk(section):
            if section is self.root and self.in_thread(e):
                continue
            if e.tag == 'hieraComm':
                comms.add(e.get('id'))
            elif e.tag == 'hieraType':
                types.add(e.get('id'))
            for name in ('comm', 'newcomm', 'comm1', 'comm2', 'local_comm', 'peer_comm'):
                value = e.get(name)
                if value not in (None, 'MPI_COMM_NULL', '(other)') and value not in comms:
                    self.blame(e, f'{name} is not declared above')
            for name in ('type', 'stype', 'rtype', 'oldtype', 'newtype'):
                value = e.get(name) or ''
                if '_dtype' in value and value not in types:
                    self.blame(e, f'{name} is not declared above')

    def blame(self, element, what):
        raise Failure(f'{self.path}: {ET.tostring(element, "unicode")[:300]}: {what}')
