"""Tables and their columns: views of arrays that libhiera-graph has exported."""

from __future__ import annotations

import ctypes
import importlib
import itertools
from typing import Any, Callable, Iterator, Sequence

from ._library import Exported, HieraError, Note, Shared

# Format of Arrow -> type, and format of the memoryview.
_TYPES = {'I': ('uint32', 'I'), 'i': ('int32', 'i'), 'l': ('int64', 'q'), 'g': ('double', 'd'), 'b': ('bool', 'B')}
_SHOWN = 10  # rows that are printed


def _need(package: str, what: str) -> Any:
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(f'{what} needs the package {package}. Without it a table can be iterated, and its columns have .values') from error


def _view(owner: Exported, address: int | None, count: int, code: str) -> memoryview:
    """Memory of an array as it is, which lives as long as the view."""
    size = ctypes.sizeof({'I': ctypes.c_uint32, 'i': ctypes.c_int32, 'q': ctypes.c_int64, 'd': ctypes.c_double, 'B': ctypes.c_uint8}[code])
    if not count:
        return memoryview(b'').cast(code)
    memory = (ctypes.c_uint8 * (count * size)).from_address(address)
    memory.owner = owner
    return memoryview(memory).cast('B').cast(code).toreadonly()


class Column(Shared):
    """A column of a table: a sequence of numbers, truths or texts, None where there is no value.

    >>> column = run.operations["bytes"]
    >>> column[0], column.type, column.null_count
    (None, 'int64', 17)
    >>> sum(value for value in column if value is not None)
    >>> numpy.frombuffer(column.values, "int64")      # no copy
    """

    def __init__(self, name: str, owner: Exported, place: int) -> None:
        schema, array = owner.schema.children[place].contents, owner.array.children[place].contents
        self.name = name
        self._length = array.length
        self._is_text = bool(schema.dictionary)
        self._owner = owner
        form = schema.format.decode()
        self.type, code = ('text', 'i') if self._is_text else _TYPES[form]  #: uint32, int32, int64, double, bool or text
        self.null_count: int = array.null_count  #: how many values are not known
        #: A memoryview of the values in memory: of a text its place in `texts`, of truths eight in a byte; without a meaning where a value is not known.
        self.values = _view(owner, array.buffers[1], -(-array.length // 8) if form == 'b' else array.length, code)
        #: A memoryview with a bit for each value, the lowest one first, 1 if it is known; None: all are known.
        self.known = _view(owner, array.buffers[0], -(-array.length // 8), 'B') if array.buffers[0] else None
        self.texts: tuple[str, ...] = self._read_texts(array.dictionary.contents) if self._is_text else ()  #: the different texts of the column

    def _read_texts(self, array: Any) -> tuple[str, ...]:
        ends = _view(self._owner, array.buffers[1], array.length + 1, 'q')
        data = bytes(_view(self._owner, array.buffers[2], ends[-1], 'B'))
        return tuple(data[begin:end].decode(errors='replace') for begin, end in zip(ends, ends[1:]))

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(self._part(begin, begin + 4096) for begin in range(0, self._length, 4096))

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            begin, end, step = row.indices(self._length)
            return self._part(begin, end) if step == 1 else [self[i] for i in range(begin, end, step)]
        index = row + self._length if row < 0 else row
        if not 0 <= index < self._length:
            raise IndexError(f'{self.name} has {self._length} rows')
        return self._part(index, index + 1)[0]

    def _part(self, begin: int, end: int) -> list:
        end = min(end, self._length)
        if self.type == 'bool':
            found: list = [bool(self.values[i >> 3] >> (i & 7) & 1) for i in range(begin, end)]
        else:
            found = self.values[begin:end].tolist()
        if self._is_text:
            found = [self.texts[place] if self.texts else None for place in found]
        if self.known is not None:
            found = [value if self.known[i >> 3] >> (i & 7) & 1 else None for i, value in enumerate(found, begin)]
        return found

    def __repr__(self) -> str:
        return f'<{self.name}: {self._length} values, {self.type}, {self.null_count} not known>'

    def _to_pandas(self, pandas: Any, plain: bool) -> Any:
        numpy = importlib.import_module('numpy')
        bits = lambda view: numpy.unpackbits(numpy.frombuffer(view, 'uint8'), bitorder='little')[:self._length].astype(bool)
        missing = ~bits(self.known) if self.known is not None else None
        if self._is_text and plain:
            return pandas.array(list(self), dtype=object)
        if self._is_text:
            places = numpy.frombuffer(self.values, 'int32')
            return pandas.Categorical.from_codes(places if missing is None else numpy.where(missing, -1, places), list(self.texts))
        values = bits(self.values) if self.type == 'bool' else numpy.frombuffer(self.values, self.type)
        if missing is None:
            return values
        if self.type == 'double':
            return numpy.where(missing, numpy.nan, values)
        return pandas.arrays.IntegerArray(values, missing)


class Table(Shared):
    """A table: rows of operations, messages, or of the answer of a measure.

    >>> table = run.operations
    >>> len(table), table.columns
    >>> table["start_ns"]                   # a Column
    >>> table[0], table[-2:]                # a row, as a dict; a list of rows
    >>> for row in table: ...               # all rows
    >>> table.select("rank", "duration_ns") # some columns
    >>> table.to_pandas()                   # also to_polars(), to_arrow(); pyarrow.table(table)

    Columns are made when they are asked for. Those that a trace has in memory are no copy, and stay
    valid without the run.
    """

    def __init__(self, name: str, types: dict[str, str], export: Callable[[Sequence[str]], Exported], notes: Sequence[Note] = (),
                 partial: bool = False, plain: bool = False) -> None:
        self.name = name  #: of the table, or of the measure
        self.types = types  #: name of each column -> uint32, int32, int64, double, bool or text
        self.notes = list(notes)  #: what is wrong with the traces, or limits the answer
        self.partial = partial  #: whether something is missing, so that the answer is partial
        self._export, self._plain = export, plain
        self._made: dict[str, Column] = {}
        self._length: int | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns. Times end in _ns or _s."""
        return tuple(self.types)

    def __len__(self) -> int:
        if self._length is None:
            nothing = self._export(())
            self._length = nothing.array.length
        return self._length

    def __getitem__(self, what: Any) -> Any:
        if isinstance(what, str):
            return self._column(what)
        if isinstance(what, slice):
            return [self[row] for row in range(*what.indices(len(self)))]
        if not -len(self) <= what < len(self):
            raise IndexError(f'{self.name} has {len(self)} rows')
        return {name: self._column(name)[what] for name in self.types}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.types, row)) for row in zip(*(self._column(name) for name in self.types)))

    def __contains__(self, name: object) -> bool:
        return name in self.types

    def _column(self, name: str) -> Column:
        if name not in self.types:
            raise HieraError(f'no column "{name}" in {self.name}; there are {" ".join(self.types)}')
        if name not in self._made:
            self._made[name] = Column(name, self._export((name,)), 0)
            self._length = len(self._made[name])
        return self._made[name]

    def select(self, *names: str) -> Table:
        """A table of some of the columns, in this order."""
        for name in names:
            if name not in self.types:
                self._column(name)
        return Table(self.name, {name: self.types[name] for name in names}, self._export, self.notes, self.partial, self._plain)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Arrow's PyCapsule interface: the table as a stream of one batch."""
        return self._export(self.columns).stream()

    def to_pandas(self) -> Any:
        """A pandas.DataFrame. Integers that may be missing are of pandas' nullable types, and texts
        of operations are categories. Numbers are read-only, as nothing is copied;
        to_pandas().copy() can be changed."""
        pandas = _need('pandas', 'to_pandas()')
        return pandas.DataFrame({name: self._column(name)._to_pandas(pandas, self._plain) for name in self.types}, copy=False)

    def to_polars(self) -> Any:
        """A polars.DataFrame (polars 1.3 or later)."""
        return _need('polars', 'to_polars()').DataFrame(self)

    def to_arrow(self) -> Any:
        """A pyarrow.Table (pyarrow 14 or later)."""
        return _need('pyarrow', 'to_arrow()').table(self)

    def __repr__(self) -> str:
        shown = [[str('' if value is None else value) for value in self._column(name)[:_SHOWN]] for name in self.types]
        widths = [max(len(text) for text in [name, *texts]) for name, texts in zip(self.types, shown)]
        lines = ['  '.join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in [tuple(self.types), *zip(*shown)]]
        more = [f'… {len(self) - _SHOWN} rows more'] if len(self) > _SHOWN else []
        return '\n'.join([f'{self.name}: {len(self)} rows'] + lines + more)
