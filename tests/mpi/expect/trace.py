"""Read a trace and check the properties that all traces have."""

import os
import subprocess
import xml.etree.ElementTree as ET

from expect.judgement import Failure, expect_true
from expect.loops import unfold

TIMED = ('hieraMPI', 'hieraOOPS', 'hieraRegion')
WITH_TIMES = frozenset(TIMED + ('hieraFlush',))
COMMS, TYPES = frozenset(('comm', 'newcomm', 'comm1', 'comm2', 'local_comm', 'peer_comm')), frozenset(('type', 'stype', 'rtype', 'oldtype', 'newtype'))
DECLARED = COMMS | TYPES
DTD = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'dtd', 'trace.dtd')


def validate(paths):
    """Validate against the DTD that lies beside the trace."""
    run = subprocess.run(['xmllint', '--huge', '--noout', '--valid', *paths], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise Failure(f'xmllint --valid: {run.stderr[:3000]}')


def seconds(ns):
    return f'{ns // 10**9}.{ns % 10**9:09}'


def expand(root):
    """Replace calls in compact encoding by calls in full encoding."""
    declared = {}
    for parent in list(root.iter()) if next(root.iter('hieraCall'), None) is not None else ():
        declarations = parent.findall('hieraCall') if len(parent) > 0 else ()
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
        attributes = element.attrib
        if 'request' in attributes and element.tag != 'hieraChannel':
            attributes['request'] = number(attributes['request'])
            last = int(attributes['request'])
        for name in [name for name in ('requests', 'pending') if name in attributes]:
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
        for element in [] if keep_paths else self.root.iter():
            attributes = element.attrib
            if '/' in attributes.get('file', ''):
                attributes['file'] = os.path.basename(attributes['file'])

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
        self.check_section(self.walk(without='hieraThread'))
        for thread in self.root.iter('hieraThread'):
            self.check_section(self.walk(thread))

    def check_section(self, elements):
        """Start times never decrease in document order, and a child lies within its parent; not of what stands for several calls.
        Communicators and datatypes of the program are declared before their first use."""
        last, open_, comms, types = 0.0, [], set(), set()
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
            if not DECLARED.isdisjoint(attributes):
                self.check_declared(e, comms, types)

    def check_declared(self, e, comms, types):
        for name, value in e.items():
            if name in COMMS and value not in comms and value not in ('MPI_COMM_NULL', '(other)'):
                self.blame(e, f'{name} is not declared above')
            if name in TYPES and '_dtype' in value and value not in types:
                self.blame(e, f'{name} is not declared above')

    def blame(self, element, what):
        raise Failure(f'{self.path}: {ET.tostring(element, "unicode")[:300]}: {what}')
