#!/usr/bin/env python3
"""ring-traces [--ranks N] [--slow MS] [--run N] FOLDER: the traces that a run of docs/ring.c leaves, with times that are the same on every machine.

Rank r computes 10 (r + 1) ms in each step, the last one --slow ms longer. Calls and wake-ups take about as long as in real runs,
drawn anew for each --run."""

import argparse
import pathlib
import random
import xml.etree.ElementTree as ET

HEAD = ('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE processor SYSTEM "trace.dtd">\n'
        '<?xml-stylesheet type="application/xslt+xml" href="visual.xsl"?><?xml-stylesheet type="text/css" href="visual.css"?>\n')
HEAD_OF_LIST = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE hieraCollector SYSTEM "hieraCollector.dtd">\n'
LINES = {'step': 32, 'compute': 10, 'exchange': 16, 'irecv': 19, 'send': 20, 'wait': 21, 'allreduce': 35}
REGIONS = ('step', 'compute', 'exchange')
STEPS = 3
CONNECTION_NS = 300_000  # in the first sum MPI connects its tree


def seconds(time):
    return f'{time // 10**9}.{time % 10**9:09}'


class Rank:
    """A rank at the moment `now`, in nanoseconds, and its trace so far."""

    def __init__(self, number, size, run):
        self.number, self.draw = number, random.Random(1000 * run + number).random
        self.left, self.right = str((number - 1) % size), str((number + 1) % size)
        self.now = 300_000_000 + self.between(20, 200)
        self.trace = ET.Element('processor', rank=f'P{number}', init=seconds(self.now), size=str(size), application='ring', job=f'ring-{run}', host='n1',
                                pid=str(4000 + number), process=f'ring-{run}/1/{4000 + number}', format='1', clock='1', clock_error='0.000000000')
        self.goes_on(60, 400)

    def between(self, least_us, most_us):
        return round(1000 * (least_us + (most_us - least_us) * self.draw()))

    def goes_on(self, least_us, most_us):
        self.now += self.between(least_us, most_us)

    def begin(self, parent, name, **more):
        kind = {'level': 'app'} if name in REGIONS else {}
        return ET.SubElement(parent, 'hieraRegion' if kind else 'hieraMPI', kind, operation=name, file='ring.c', line=str(LINES[name]),
                             start_time=seconds(self.now), **more)

    def end(self, element):
        element.set('finish_time', seconds(self.now))

    def compute(self, number, own_ms):
        self.step = self.begin(self.trace, 'step', args=f'step={number}')
        self.goes_on(0.3, 0.6)
        compute = self.begin(self.step, 'compute', args=f'rank={self.number}')
        self.now += own_ms * 1_000_000
        self.goes_on(60, 200)  # until the kernel wakes it
        self.end(compute)
        self.goes_on(1, 4)

    def send(self, number, size):
        self.exchange = self.begin(self.step, 'exchange')
        if number == 0:
            ET.SubElement(self.exchange, 'hieraType', id='MPI_INT', size='4', extent='4')
            ET.SubElement(self.exchange, 'hieraComm', id='MPI_COMM_WORLD', ranks=f'0-{size - 1}')
        self.goes_on(2, 5)
        irecv = self.begin(self.exchange, 'irecv', count='1', type='MPI_INT', rem=self.left, tag='7', comm='MPI_COMM_WORLD', request=str(number + 1))
        self.goes_on(2, 9)
        self.end(irecv)
        self.goes_on(1, 3)
        self.sent = self.now
        send = self.begin(self.exchange, 'send', count='1', type='MPI_INT', dest=self.right, tag='7', comm='MPI_COMM_WORLD', bytes='4')
        self.goes_on(3, 12)
        self.end(send)
        self.goes_on(1, 3)

    def receive(self, number, sent):
        wait = self.begin(self.exchange, 'wait', sources=self.left, tags='7', sizes='4', requests=str(number + 1))
        self.goes_on(3, 8)
        self.now = max(self.now, sent + self.between(15, 40))
        self.end(wait)
        self.goes_on(0.5, 2)
        self.end(self.exchange)
        self.goes_on(1, 3)

    def add_up(self, number, last):
        if number == 0:
            ET.SubElement(self.step, 'hieraType', id='MPI_DOUBLE', size='8', extent='8')
        allreduce = self.begin(self.step, 'allreduce', count='1', type='MPI_DOUBLE', op='MPI_SUM', comm='MPI_COMM_WORLD', bytes='8', rbytes='8')
        self.now = max(self.now, last) + self.between(6, 40)
        self.end(allreduce)
        self.goes_on(1, 3)
        self.end(self.step)
        self.goes_on(1, 3)

    def text(self):
        self.goes_on(4, 9)
        self.trace.set('finalize', seconds(self.now))
        ET.indent(self.trace)
        return HEAD + ET.tostring(self.trace, encoding='unicode') + '\n'


def play(ranks, number, slow_ms):
    """A step of all ranks."""
    for rank in ranks:
        rank.compute(number, 10 * (rank.number + 1) + slow_ms * (rank is ranks[-1]))
        rank.send(number, len(ranks))
    for rank in ranks:
        rank.receive(number, ranks[int(rank.left)].sent)
    last = max(rank.now for rank in ranks) + CONNECTION_NS * (number == 0)
    for rank in ranks:
        rank.add_up(number, last)


def main():
    parser = argparse.ArgumentParser()
    for option, usual in (('--ranks', 4), ('--slow', 0), ('--run', 1)):
        parser.add_argument(option, type=int, default=usual)
    parser.add_argument('folder', type=pathlib.Path)
    asked = parser.parse_args()
    ranks = [Rank(number, asked.ranks, asked.run) for number in range(asked.ranks)]
    for number in range(STEPS):
        play(ranks, number, asked.slow)
    names = ET.Element('hieraCollector', application='ring', count_proc=str(asked.ranks), job=f'ring-{asked.run}', run=f'ring-{asked.run}')
    asked.folder.mkdir(parents=True, exist_ok=True)
    for rank in ranks:
        ET.SubElement(names, 'collect_file', rank=f'P{rank.number}').text = f'trace{rank.number}.xml'
        (asked.folder / f'trace{rank.number}.xml').write_text(rank.text(), encoding='utf-8')
    ET.indent(names)
    (asked.folder / 'hieraCollector.xml').write_text(HEAD_OF_LIST + ET.tostring(names, encoding='unicode') + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
