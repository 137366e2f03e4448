"""Read a container (dtd/container.h), independently of hiera-transform: every extent that belongs to a trace must be right."""

import operator
import struct

PAGE, MARK = 4096, b'Hiera container 1\n'
COLUMNS = 64
HEAD = struct.Struct('<QQIIIIQQQQQII')
CONTAINER_MAGIC, EXTENT_MAGIC, NUMBER = 0x3148437265694801, 0x31587e7265694802, 77


class Damaged(Exception):
    pass


def is_container(path):
    with open(path, 'rb') as file:
        return file.read(len(MARK)) == MARK


def check_of(data):
    value = 0x811c9dc5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xffffffff
    return value


def sums_of(data):
    """Of the words, and of the words times their number from 1 on: by rows and columns, since to add is cheaper than to multiply."""
    words = struct.unpack(f'<{(len(data) + 3) // 4}I', data + bytes(-len(data) % 4))
    rows = [sum(words[row:row + COLUMNS]) for row in range(0, len(words), COLUMNS)]
    columns = [sum(words[column::COLUMNS]) for column in range(COLUMNS)]
    return sum(rows), sum(map(operator.mul, columns, range(1, COLUMNS + 1))) + sum(map(operator.mul, rows, range(0, len(words), COLUMNS)))


class Extent:
    def __init__(self, data, offset):
        self.offset, self.raw = offset, data[offset:offset + HEAD.size]
        (self.magic, self.container, self.rank, self.thread, self.order, self.bytes, self.start, self.next, self.length, *self.sums, self.summed,
         self.check) = HEAD.unpack(self.raw)
        self.content, self.is_right = data[offset + HEAD.size:offset + self.bytes], False

    def is_good(self):
        return self.magic == EXTENT_MAGIC and check_of(self.raw[:-4]) == self.check

    def is_summed(self):
        """Whether it has a sum; that must be right."""
        if self.summed and not self.is_right and sums_of(self.content[:self.summed]) != tuple(self.sums):
            raise Damaged(f'sum of the extent at {self.offset} of rank {self.rank}')
        self.is_right = True
        return self.summed > 0


class Container:
    def __init__(self, path):
        with open(path, 'rb') as file:
            self.data = file.read()
        if len(self.data) < PAGE:
            raise Damaged('no first page')
        magic, self.number, self.members, check = struct.unpack('<QQII', self.data[PAGE - 24:PAGE])
        if not self.data.startswith(MARK) or magic != CONTAINER_MAGIC or check != check_of(self.data[PAGE - 24:PAGE - 4]):
            raise Damaged('the first page')
        self.extents = {}
        offset = last = PAGE
        while offset + HEAD.size <= len(self.data):
            extent = Extent(self.data, offset)
            if extent.is_good():
                self.extents[offset] = extent
                last, offset = offset, offset + extent.bytes
            else:  # one that was not written whole: the next one may begin anywhere
                offset = self.data.find(struct.pack('<QQ', EXTENT_MAGIC, self.number), last + 1)
                if offset < 0:
                    break

    def chain(self, rank, thread=0):
        """The extents of a member, in their order."""
        found = next((e for e in self.extents.values() if (e.rank, e.thread, e.order) == (rank, thread, 0)), None)
        order, start = 0, 0
        while found:
            if (found.rank, found.thread, found.order, found.start) != (rank, thread, order, start):
                raise Damaged(f'the chain of rank {rank} at {found.offset}')
            yield found
            order, start = order + 1, start + len(found.content)
            found = self.extents.get(found.next) if found.next else None

    def ranks(self):
        return sorted(e.rank for e in self.extents.values() if e.thread == 0 and e.order == 0)

    def trace(self, rank):
        """The bytes that the rank would have written into a file of its own. Extents with a sum must have it right."""
        chain = list(self.chain(rank))
        for extent in chain:
            extent.is_summed()
        text = b''.join(extent.content for extent in chain)
        if chain[0].length > len(text):
            raise Damaged(f'rank {rank} has {len(text)} bytes of {chain[0].length}')
        return text[:chain[0].length]

    def unsummed(self, rank):
        """Extents without a sum that hold a part of the trace."""
        chain = list(self.chain(rank))
        return [e.offset for e in chain if not e.summed and e.start < chain[0].length]


def sealed(head):
    return head + struct.pack('<I', check_of(head))


def torn(rank, written):
    """An extent of a thread, of which only so many bytes came into the file."""
    return sealed(HEAD.pack(EXTENT_MAGIC, NUMBER, rank, 1, 0, PAGE, 0, 0, 0, 0, 0, 0, 0)[:-4]).ljust(written, b'x')


def write(path, traces, piece=8192, before=b''):
    """Write traces, {rank: bytes}, as ranks that take turns would: first a small extent each, then larger ones. `before`: what is before all extents."""
    number, heads, written = NUMBER, {}, {rank: (0, 0, 0, 0) for rank in traces}  # rank: bytes, extents, offsets of the first and the last
    with open(path, 'wb') as file:
        page = MARK + f'container host="h" pid="1" job="{number:x}"\n'.encode()
        file.write(page.ljust(PAGE - 24, b'\0') + sealed(struct.pack('<QQI', CONTAINER_MAGIC, number, len(traces))))
        file.write(before)
        offset = PAGE + len(before)
        while any(written[rank][0] < len(trace) for rank, trace in traces.items()):
            for rank, trace in traces.items():
                start, order, first, last = written[rank]
                if start == len(trace):
                    continue
                content = trace[start:start + (4096 if order == 0 else piece) - HEAD.size]
                if order:
                    heads[last][7] = offset
                heads[offset] = [EXTENT_MAGIC, number, rank, 0, order, HEAD.size + len(content), start, 0, 0 if order else len(trace), *sums_of(content),
                                 len(content)]
                file.write(bytes(HEAD.size) + content)
                written[rank] = (start + len(content), order + 1, first if order else offset, offset)
                offset += HEAD.size + len(content)
        for at, head in heads.items():
            file.seek(at)
            file.write(sealed(HEAD.pack(*head, 0)[:-4]))
