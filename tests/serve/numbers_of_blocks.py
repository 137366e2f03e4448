"""The blocks of numbers of a page, read as transform/page/README.md has them."""


class Numbers:
    def __init__(self, data):
        self.data, self.at = data, 0

    def next(self):
        value, shift = 0, 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        value = self.next()
        return (value >> 1) ^ -(value & 1)


def tile(data, lanes, begin):
    """Operations (lane, depth, begin, duration, site, row, waiting), and of the merged ones count, time, waiting."""
    numbers, exact, merged = Numbers(data), [], [0, 0, 0]
    for lane in range(lanes):
        for depth in range(numbers.next()):
            at, row = begin, 0
            for _ in range(numbers.next()):
                at += numbers.signed()
                duration, site = numbers.next(), numbers.next()
                row += numbers.signed()
                exact.append((lane, depth, at, duration, site, row, numbers.next()))
                numbers.next()
            for _ in range(numbers.next()):
                numbers.signed(), numbers.next()
                merged = [sum(pair) for pair in zip(merged, (numbers.next(), numbers.next(), numbers.next()))]
                numbers.next(), numbers.next()
    return exact, merged


def level(head, number, block):
    """All of a level. @param block  gives the bytes of a block by its name"""
    exact, merged, detail = [], [0, 0, 0], head["details"][number]
    for i in range(detail["tiles"]):
        more, sums = tile(block(f"tile-{number}-{i}"), len(head["lanes"]), i * int(detail["tile"]))
        exact += more
        merged = [sum(pair) for pair in zip(merged, sums)]
    return sorted(exact), merged


def found(data):
    """How many operations are found, and those that are given: (lane, depth, begin, duration, site, row, waiting)."""
    numbers = Numbers(data)
    total = numbers.next()
    return total, [tuple(numbers.next() for _ in range(7)) for _ in range(numbers.next())]


def arrows(data):
    """How many messages, and those that are given: (row, lane, begin, to lane, from begin to end, duration of the call at its end, bytes, to row, row of the
    receive)."""
    numbers, row, begin, given = Numbers(data), 0, 0, []
    total, _ = numbers.next(), numbers.next()
    for _ in range(numbers.next()):
        row += numbers.signed()
        lane = numbers.next()
        begin += numbers.signed()
        arrow = (row, lane, begin, numbers.next(), numbers.signed(), numbers.next(), numbers.next() - 1, row + numbers.signed())
        given.append((*arrow, arrow[-1] + numbers.signed()))
    return total, given


def waits(data, classes):
    """How many waits of each class, and those that are given: (class, begin, duration, place, causer); a place has six numbers."""
    numbers = Numbers(data)
    total = [numbers.next() for _ in range(classes)]
    place = lambda: tuple(numbers.next() for _ in range(6))  # noqa: E731
    return total, [(numbers.next(), numbers.next(), numbers.next(), place(), place() if numbers.next() else None) for _ in range(numbers.next())]
