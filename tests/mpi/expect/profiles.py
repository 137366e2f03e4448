"""Counts, bytes, and parts per communicator and peer of each call path, of single operations and of what stands for several."""

from collections import defaultdict

from expect.trace import TIMED

NO_STATUS = '-'


class Sums:
    """Of one call path: calls, open and failed ones, bytes, and parts {(comm, peer, root, way): [calls, bytes, rbytes]}."""

    def __init__(self):
        self.calls = self.open = self.failed = self.bytes = self.rbytes = 0
        self.parts = defaultdict(lambda: [0, 0, 0])

    def add_part(self, comm=None, peer=None, root=None, way=None, sent=0, received=0, calls=1):
        part = self.parts[comm, peer, root, way]
        for i, value in enumerate((calls, sent, received)):
            part[i] += value

    def as_text(self):
        parts = ''.join(f'\n    {key}: calls, bytes, rbytes {value}' for key, value in sorted(self.parts.items(), key=str))
        return f'calls {self.calls}, open {self.open}, failed {self.failed}, bytes {self.bytes}, rbytes {self.rbytes}{parts}'


def number(element, name):
    return int(element.get(name) or 0)


def step(element):
    """An operation as a part of a path."""
    name = element.get('operation') or f'{element.get("class")}::{element.get("method")}'
    return f'{element.get("level") or element.tag}:{name}@{element.get("file")}:{element.get("line")}'


def with_paths(trace):
    """(path, operation) of all threads."""
    path = []
    for depth, element in trace.walk():
        del path[depth:]
        path.append('thread' if element.tag == 'hieraThread' else step(element))
        if element.tag in TIMED:
            yield ' / '.join(path), element


class Summing:
    """Goes through a trace in the order of the file. Messages of requests are counted where the receive was posted."""

    def __init__(self, trace):
        self.sums = defaultdict(Sums)
        self.trace, self.posted, self.objects, self.messages, self.completed = trace, {}, {}, {}, []
        for path, element in with_paths(trace):
            self.add(self.sums[path], element)
        for request, source, size in self.completed:
            self.complete(request, source, size)

    def comm_of(self, element):
        for name in ('win', 'fh'):
            if element.get('comm') is None and element.get(name):
                return self.objects.get(element.get(name))
        return element.get('comm')

    @staticmethod
    def add_sums(sums, element):
        for name in ('calls', 'open', 'failed', 'bytes', 'rbytes'):
            setattr(sums, name, getattr(sums, name) + number(element, name))
        for part in element.findall('hieraPart'):
            sums.add_part(part.get('comm'), part.get('peer'), part.get('root'), part.get('way'), number(part, 'bytes'), number(part, 'rbytes'), number(part, 'calls'))

    def add(self, sums, element):
        if element.get('calls'):
            self.add_sums(sums, element)
            return
        sums.calls += 1
        if element.get('finish_time') == '':
            sums.open += 1
            return
        sums.failed += element.get('error') is not None
        sums.bytes += number(element, 'bytes')
        sums.rbytes += number(element, 'rbytes')
        if element.tag != 'hieraMPI':
            return
        comm = self.comm_of(element)
        self.note(element, comm)
        self.follow_requests(sums, element, comm)
        self.add_parts(sums, element, comm)

    def note(self, element, comm):
        """Objects and messages that later calls name."""
        for name in ('win', 'fh'):
            if element.get('comm') and element.get(name):
                self.objects[element.get(name)] = comm
        if element.get('message') and element.get('comm'):
            self.messages[element.get('message')] = (comm, element.get('rem'))

    def follow_requests(self, sums, element, comm):
        operation = element.get('operation')
        if operation in ('start', 'startall'):
            for request in (element.get('requests') or element.get('request') or '').split():
                self.start(request)
        elif element.get('request') and operation != 'request_free':
            matched = self.messages.get(element.get('message'), (comm, None))[0]
            self.posted[element.get('request')] = (sums, element, matched)
        if element.get('sources') is not None and operation != 'request_get_status':
            words = (element.get(name).split(' ') for name in ('requests', 'sources', 'sizes'))
            self.completed += zip(*words)

    def start(self, request):
        sums, element, comm = self.posted.get(request, (None, None, None))
        if sums and element.get('dest'):
            sums.add_part(comm, element.get('dest'), sent=number(element, 'bytes'))

    def complete(self, request, source, size):
        sums, element, comm = self.posted.get(request, (None, None, None))
        if sums and source != NO_STATUS:
            both = element.get('dest') is not None
            sums.add_part(comm, source, way='receive' if both else None, sent=int(size))

    def add_parts(self, sums, element, comm):
        dest, rem, root = element.get('dest'), element.get('rem'), element.get('root')
        starts = element.get('request') is not None and 'pending' not in element.attrib and element.get('operation') not in ('wait', 'test', 'start')
        sent, received = number(element, 'bytes'), number(element, 'rbytes')
        in_vain = 'pending' in element.attrib or (element.get('flag') == '0' and rem is not None)
        if element.get('operation').endswith('_init') or in_vain:
            return
        if element.get('message') and not element.get('comm'):
            if not starts:
                comm, peer = self.messages.get(element.get('message'), (None, None))
                sums.add_part(comm, peer, sent=sent)
            return
        if dest and rem:
            sums.add_part(comm, dest, way='send', sent=sent)
            if not starts:
                sums.add_part(comm, rem, way='receive', sent=received)
            return
        if starts and rem:
            return
        peer = dest or element.get('target_rank') or (element.get('rank') if element.get('win') else None) or rem
        if root and not dest:
            sums.add_part(comm, root=root, sent=sent, received=received)
        elif comm or peer:
            sums.add_part(comm, peer, sent=sent, received=received)


def sums_of(trace):
    return {path: sums.as_text() for path, sums in Summing(trace).sums.items()}


def messages_of(trace):
    """{(communicator, peer): [calls, bytes, rbytes]}: all parts, whichever operation has them."""
    found = defaultdict(lambda: [0, 0, 0])
    for sums in Summing(trace).sums.values():
        for (comm, peer, _, _), part in sums.parts.items():
            found[comm, peer] = [a + b for a, b in zip(found[comm, peer], part)]
    return dict(found)


def calls_of(trace):
    """{path: calls, bytes, rbytes}"""
    return {path: (sums.calls, sums.open, sums.bytes, sums.rbytes) for path, sums in Summing(trace).sums.items()}
