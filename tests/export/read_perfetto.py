"""Reader of Perfetto's traces: protocol buffers by hand, so far as a trace of slices needs."""
import struct


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """The fields of a message: a list of (number, value); values are numbers or bytes."""
    found, at = [], 0
    while at < len(data):
        key, at = varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif wire == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
            assert len(value) == length, "a message is cut"
        else:
            raise AssertionError(f"wire type {wire}")
        found.append((key >> 3, value))
    return found


def one(message, number, default=None):
    values = [value for n, value in message if n == number]
    assert len(values) <= 1, f"field {number} occurs {len(values)} times"
    return values[0] if values else default


def every(message, number):
    return [value for n, value in message if n == number]


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Trace:
    """tracks: uuid → (process, name); slices: lists of dict; flows: id → [(kind, slice)]."""

    def __init__(self, data):
        self.names, self.categories, self.places = {}, {}, {}
        self.tracks, self.slices, self.flows = {}, [], {}
        self.open = {}
        for number, packet in fields(data):
            assert number == 1, "a trace has packets"
            self.read_packet(fields(packet))
        assert not any(self.open.values()), "a slice has no end"

    def read_packet(self, packet):
        assert one(packet, 10) == 1
        if one(packet, 12) is not None:
            self.read_interned(fields(one(packet, 12)))
        if one(packet, 60) is not None:
            self.read_track(fields(one(packet, 60)))
        if one(packet, 11) is not None:
            self.read_event(one(packet, 8), fields(one(packet, 11)))

    def read_interned(self, interned):
        for number, table in ((1, self.categories), (2, self.names)):
            for value in every(interned, number):
                entry = fields(value)
                table[one(entry, 1)] = one(entry, 2).decode()
        for value in every(interned, 4):
            entry = fields(value)
            self.places[one(entry, 1)] = (one(entry, 2).decode(), one(entry, 4, 0))

    def read_track(self, track):
        process, thread = one(track, 3), one(track, 4)
        assert one(track, 1) not in self.tracks, "a track is described once"
        if process:
            self.tracks[one(track, 1)] = ("process", one(fields(process), 6).decode())
        else:
            assert one(track, 5) in self.tracks, "the process of a thread is described before it"
            self.tracks[one(track, 1)] = (one(track, 5), one(fields(thread), 5).decode())

    def read_event(self, time, event):
        track = one(event, 11)
        assert track in self.tracks, "a track is described before its first slice"
        stack = self.open.setdefault(track, [])
        if one(event, 9) == 2:
            stack.pop()["finish"] = time
            return
        assert one(event, 9) == 1
        place = self.places.get(one(event, 34), ("", 0))
        arguments = {}
        for value in every(event, 4):
            annotation = fields(value)
            text = one(annotation, 6)
            real = one(annotation, 5)
            arguments[one(annotation, 10).decode()] = text.decode() if text is not None else struct.unpack('<d', struct.pack('<Q', real))[0] if real is not None else signed(one(annotation, 4))
        slice_ = {"track": track, "name": self.names[one(event, 10)], "level": self.categories[one(event, 3)],
                  "file": place[0], "line": place[1], "start": time, "depth": len(stack), "arguments": arguments}
        stack.append(slice_)
        self.slices.append(slice_)
        for kind, number in (("leaves", 47), ("ends", 48)):
            for flow in every(event, number):
                self.flows.setdefault(flow, []).append((kind, slice_))
