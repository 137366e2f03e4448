"""Unfold the loops of a trace, by the description in docs/format.md alone: a second reader beside that of hiera-transform."""

import re
import xml.etree.ElementTree as ET

CHARACTERS = [chr(c) for c in range(ord('!'), ord('~') + 1) if chr(c) not in '"&<']
VALUES = {character: i for i, character in enumerate(CHARACTERS)}


def bits_of(text):
    """The bits of `times`, as a text of 0 and 1."""
    return ''.join(f'{91 * VALUES[text[i]] + VALUES[text[i + 1]]:013b}' for i in range(0, len(text), 2))


class Guess:
    def __init__(self):
        self.value, self.width, self.is_met = 0, 0, False

    def read(self, bits):
        width = self.width // 8 if self.is_met else 10
        ones = bits.ones()
        above = int('1' + bits.take(ones - 1), 2) if ones > 0 else 0
        code = above << width | int(bits.take(width) or '0', 2)
        number = self.value + (-(code + 1) // 2 if code % 2 else code // 2)
        self.follow(number, code, above, width)
        return number

    def follow(self, number, code, above, width):
        if not self.is_met:
            self.is_met, self.value = True, number
            self.width = 8 * max(0, number.bit_length() - 3) if number > 0 else 0
            return
        if above > 0:
            self.width += 2 if width < 63 else 0
        elif self.width > 0 and (width == 0 or 2 * code < 1 << width):
            self.width -= 1
        step = 1 << width - 4 if width > 4 else 1
        if code // 2 <= step:
            self.value = number
        else:
            self.value += step if number > self.value else -step


class Bits:
    def __init__(self, text):
        self.text, self.at = bits_of(text), 0

    def take(self, n):
        if self.at + n > len(self.text):
            raise ValueError('times end too early')
        self.at += n
        return self.text[self.at - n:self.at]

    def ones(self):
        """How many there are before the next zero, which is taken too."""
        start, self.at = self.at, self.text.index('0', self.at) + 1
        return self.at - 1 - start


class Place:
    def __init__(self, kind, attributes=None, body=None):
        self.kind, self.call, self.body, self.steps, self.is_anew = kind, attributes, body, [], False
        self.before, self.duration = Guess(), Guess()
        self.first, self.begins_anew = (attributes, []), False
        self.values = [Guess() for _ in range(4)]

    def begin_anew(self):
        self.begins_anew = True

    def reach(self, vary):
        self.is_anew = self.begins_anew
        if self.begins_anew:
            self.call, self.steps = self.first
        if vary is not None:
            self.call = {name: value for name, value in vary.items() if name not in ('at', 'by')}
            self.steps = [int(word) for word in vary.get('by', '').split()]
        if self.begins_anew:
            self.first = self.call, self.steps
        self.begins_anew = False

    def change(self, bits):
        """The first numbers change once, by the next numbers of `values`."""
        found = [number for name, value in self.call.items() if name != 'r' for number in re.findall('[0-9]+', value)]
        self.steps = [guess.read(bits) for guess, _ in zip(self.values, found)]
        self.grow()
        self.steps = []
        self.first = (self.call, self.steps) if self.is_anew else self.first

    def grow(self):
        """The first numbers of the attributes beside `r` grow."""
        if not any(self.steps):
            return
        steps = iter(self.steps)
        self.call = {name: value if name == 'r' else re.sub('[0-9]+', lambda number: str(int(number[0]) + step) if (step := next(steps, 0)) else number[0], value)
                     for name, value in self.call.items()}


def places_of(element, bodies):
    places = []
    for child in element:
        if child.tag == 'hieraLoop':
            places.append(Place('loop', body=bodies[child.get('body')]))
        elif len(child) == 0:
            places.append(Place('call', dict(child.items())))
        else:
            places += [Place('begin', dict(child.items())), *places_of(child, bodies), Place('end')]
    return places


class Repeats:
    """The calls of a hieraLoop, as elements `c`."""

    def __init__(self, loop):
        self.bits, self.time, self.is_first, self.n = Bits(loop.get('times')), int(loop.get('t')), True, 0
        self.varied = {int(vary.get('at')): vary for vary in loop if not vary.get('values')}
        self.changes = None
        for vary in loop:
            if vary.get('values'):
                self.changes, self.last_change, self.distance = Bits(vary.get('values')), int(vary.get('at')), Guess()
                self.change = self.distance.read(self.changes)
        self.open = [ET.Element('turns')]

    def call(self, place):
        place.reach(self.varied.get(self.n))
        if self.changes and self.change == self.n:
            place.change(self.changes)
            self.change = self.change + self.distance.read(self.changes) if self.n < self.last_change else -1
        start = self.time + (0 if self.is_first else place.before.read(self.bits))
        duration = place.duration.read(self.bits)
        element = ET.SubElement(self.open[-1], 'c', {**place.call, 't': str(start), 'd': str(duration)})
        place.grow()
        self.is_first, self.n = False, self.n + 1
        self.time = start if place.kind == 'begin' else start + duration
        if place.kind == 'begin':
            self.open.append(element)

    def read(self, places, repeats):
        for _ in range(repeats):
            for place in places:
                if place.kind == 'loop':
                    for inner in place.body:
                        inner.begin_anew()
                    self.read(place.body, place.before.read(self.bits) + 1)
                elif place.kind == 'end':
                    element = self.open.pop()
                    self.time = int(element.get('t')) + int(element.get('d'))
                else:
                    self.call(place)


def unfold(root):
    """Replace the loops of a trace by their calls. Return how many loops there were."""
    bodies, n = {}, 0

    def walk(parent):
        nonlocal n
        children = []
        for child in list(parent):
            if child.tag == 'hieraBody':
                bodies[child.get('id')] = places_of(child, bodies)
            elif child.tag == 'hieraLoop':
                repeats, places = Repeats(child), bodies[child.get('body')]
                repeats.read(places[int(child.get('from', 0)):int(child.get('to', len(places)))], int(child.get('turns', 1)))
                if repeats.time != int(child.get('end')) or '1' in repeats.bits.text[repeats.bits.at:]:
                    raise ValueError(f'a loop ends at {repeats.time}, not at {child.get("end")}')
                children += repeats.open[0]
                n += 1
            else:
                if len(child) > 0:
                    walk(child)
                children.append(child)
        if children != list(parent):
            parent[:] = children

    if next(root.iter('hieraLoop'), None) is not None or next(root.iter('hieraBody'), None) is not None:
        walk(root)
    return n
