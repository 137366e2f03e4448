"""A run: its tables, and what hiera-transform says of it."""

from __future__ import annotations

import array
import ctypes
import functools
import json
import os
import subprocess
from typing import Any, Sequence

from ._library import PROGRAM, Exported, HieraError, Note, Shared, Values, library, new_error, notes_of, printable, program, raise_error, texts
from ._table import _TYPES, Table

# Type of a column in JSON of hiera-transform -> what its name gets, and its type.
_OF_JSON = {'text': ('', 'text'), 'integer': ('', 'int64'), 'bytes': ('_bytes', 'int64'), 'seconds': ('_s', 'double'), 'percent': ('_percent', 'double'),
            'bytes/s': ('_bytes_per_s', 'double'), 'number': ('', 'double')}


def open(*paths: Any) -> Run:
    """Read the traces of a run: a folder, a hieraCollector.xml, a container, an OTF2 archive, or trace files.

    >>> run = hiera_mpi.open("run/")
    >>> run = hiera_mpi.open("run/trace0.xml", "run/trace1.xml")      # or a list of them

    Raises HieraError if nothing can be read. Whatever else is wrong is in the notes of the run.
    """
    flat = [path for given in paths for path in (given if isinstance(given, (list, tuple)) else [given])]
    return Run([os.fsdecode(path) for path in flat])


class Run(Shared):
    """A run that was read. Made by open()."""

    def __init__(self, paths: Sequence[str]) -> None:
        lib = library()
        self.paths = list(paths)  #: what was opened
        error, findings = new_error(), lib.hiera_findings_new()
        try:
            self._run = lib.hiera_arrow_load(texts(self.paths), findings, ctypes.byref(error))
            self.notes: list[Note] = notes_of(findings)  #: what is wrong with the traces
            self.partial = bool(lib.hiera_findings_partial(findings))  #: whether something is missing
        finally:
            lib.hiera_findings_free(findings)
        if not self._run:
            raise_error(error, self.notes)
        self._absolute = [path if os.path.isabs(path) else os.path.join(os.getcwd(), path) for path in self.paths]  # they stay true if the folder is changed

    def __del__(self) -> None:
        if getattr(self, '_run', None):
            library().hiera_arrow_free(self._run)

    def __repr__(self) -> str:
        return f'<run {printable(" ".join(self.paths))}: {len(self.ranks)} ranks, {len(self.operations)} operations{", partial" if self.partial else ""}>'

    # --- tables ---

    def _export(self, table: str, columns: Sequence[str] | None, only_type: bool = False) -> Exported:
        exported, error = Exported(), new_error()
        names = None if columns is None else texts(columns)
        if not library().hiera_arrow_export(self._run, table.encode(), names, exported.schema, None if only_type else exported.array, ctypes.byref(error)):
            raise_error(error)
        return exported

    def _table(self, name: str) -> Table:
        exported = self._export(name, None, only_type=True)
        children = [exported.schema.children[i].contents for i in range(exported.schema.n_children)]
        types = {child.name.decode(): 'text' if child.dictionary else _TYPES[child.format.decode()][0] for child in children}
        return Table(name, types, functools.partial(self._export, name), self.notes, self.partial)

    @functools.cached_property
    def operations(self) -> Table:
        """All operations, rank after rank, each before those inside it. Other tables name an
        operation by its row here.

        >>> operations = run.operations.to_pandas()
        >>> operations.groupby(["level", "name"], observed=True).duration_ns.sum()
        """
        return self._table('operations')

    @functools.cached_property
    def messages(self) -> Table:
        """Messages: the rows of `operations` that sent, received and completed them, both ranks, tag and bytes."""
        return self._table('messages')

    @functools.cached_property
    def collectives(self) -> Table:
        """Collective operations: when the first and the last member came, and when the last one left."""
        return self._table('collectives')

    @functools.cached_property
    def members(self) -> Table:
        """The members of the collectives: a row of `collectives` and one of `operations`."""
        return self._table('members')

    @functools.cached_property
    def ranks(self) -> Table:
        """The ranks: hosts, times of MPI_Init and MPI_Finalize, and which rows of `operations` are theirs."""
        return self._table('ranks')

    @functools.cached_property
    def counters(self) -> Table:
        """What counters counted during operations."""
        return self._table('counters')

    @functools.cached_property
    def vertices(self) -> Table:
        """The vertices of the graph: the row of `operations`; None for a rank, or a collective."""
        return self._table('vertices')

    @functools.cached_property
    def edges(self) -> Table:
        """The edges of the graph: two rows of `vertices`, and the kind: child, next, message, collective, request, transfer, completion, epoch."""
        return self._table('edges')

    # --- the graph ---

    @functools.cached_property
    def graph(self) -> Any:
        """The graph of all operations: an igraph.Graph if igraph is installed, else a networkx.MultiDiGraph."""
        try:
            return self.to_igraph()
        except ImportError:
            return self.to_networkx()

    def to_igraph(self) -> Any:
        """The graph as an igraph.Graph: vertices have `operation`, edges have `kind`."""
        import igraph
        return igraph.Graph(n=len(self.vertices), edges=list(zip(self.edges['from'], self.edges['to'])), directed=True,
                            vertex_attrs={'operation': list(self.vertices['operation'])}, edge_attrs={'kind': list(self.edges['kind'])})

    def to_networkx(self) -> Any:
        """The graph as a networkx.MultiDiGraph: vertices have `operation`, edges have `kind`."""
        try:
            import networkx
        except ImportError as error:
            raise ImportError('the graph needs the package igraph or networkx. Without them there are run.vertices and run.edges') from error
        graph = networkx.MultiDiGraph()
        graph.add_nodes_from((i, {'operation': row}) for i, row in enumerate(self.vertices['operation']))
        graph.add_edges_from((row['from'], row['to'], {'kind': row['kind']}) for row in self.edges)
        return graph

    # --- hiera-transform ---

    def _ask(self, paths: Sequence[str], *words: str) -> str:
        try:
            done = subprocess.run([program(), *words, '--', *paths], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  encoding='utf-8', errors='replace', check=False)
        except (OSError, ValueError) as error:
            raise HieraError(f'{PROGRAM} cannot be started: {error}') from error
        if done.returncode < 0 or not done.stdout:  # a partial answer may end with another status
            raise HieraError(done.stderr.strip().replace(f'{PROGRAM}: ', '') or f'{PROGRAM} ended with status {done.returncode}')
        return done.stdout

    @property
    def summary(self) -> str:
        """What hiera-transform says of the run: one screen of text."""
        return self._ask(self._absolute, '--measure', 'summary', '--quiet')

    def measure(self, name: str, *, by: str | None = None, where: str | None = None, against: Run | None = None, **options: Any) -> Table:
        """The answer of a measure of hiera-transform, whose names `hiera-transform --measure list` explains.

        >>> run.measure("waits")
        >>> run.measure("statistics", by="site", where='level == "mpi"', top=10)
        >>> after.measure("diff", against=before)

        by       what rows are about
        where    only operations for which this expression is true
        against  the run to compare with, for diff and the like
        options  further options of hiera-transform: ranks="0-3", level="app", bins=20, sort="count:up", …

        The columns are those of --format json, their units in the names: times end in _s
        (seconds), shares in _percent, and a dash is an underscore. Numbers that are not known are
        None. The traces are read again by hiera-transform, so that the answer is the same as on
        the command line.
        """
        words = ['--measure', name, '--format', 'json', '--quiet']
        for option, value in {'by': by, 'where': where, **options}.items():
            if value is not None:
                words.append(f'--{option.strip("_").replace("_", "-")}={value}')
        said = self._ask([*(against._absolute if against else []), *self._absolute], *words)
        try:
            answer = json.loads(said)
            notes = [Note(found['severity'], found['kind'], found['message'], found['file'], found['line'] or 0, found['count']) for found in answer['findings']]
            (title, rows), = ((key, value) for key, value in answer.items() if isinstance(value, list) and key != 'findings')
        except (KeyError, ValueError) as error:
            raise HieraError(f'{PROGRAM} {" ".join(words)} answers with no table: {said[:60]!r}…') from error
        return _measured(title, answer['columns'][title], rows, notes, answer['partial'])


def _measured(title: str, columns: dict[str, str], rows: list[dict], notes: list[Note], partial: bool) -> Table:
    """The table of rows of JSON."""
    names, types = {}, {}
    for column, kind in columns.items():
        ending, column_type = _OF_JSON[kind]
        name = column.replace('-', '_')
        name += '' if ending and f'_{name}'.endswith(ending) else ending
        names[name], types[name] = column, column_type
    values = {name: [row[column] for row in rows] for name, column in names.items()}
    return Table(title, types, lambda wanted: _export_values(types, values, len(rows), wanted), notes, partial, plain=True)


def _export_values(types: dict[str, str], values: dict[str, list], n_rows: int, wanted: Sequence[str]) -> Exported:
    columns, kept, exported = (Values * len(wanted))(), [], Exported()
    for column, name in zip(columns, wanted):
        known = bytes(value is not None for value in values[name])
        if types[name] == 'text':
            memory: Any = (ctypes.c_char_p * n_rows)(*(None if value is None else value.encode() for value in values[name]))
            column.format, column.values = b'u', ctypes.addressof(memory)
        else:
            code = 'q' if types[name] == 'int64' else 'd'
            memory = array.array(code, [value or 0 for value in values[name]])
            column.format, column.values = b'l' if code == 'q' else b'g', memory.buffer_info()[0]
        flags = ctypes.create_string_buffer(known, max(len(known), 1))
        kept += [memory, flags]
        column.name, column.known = name.encode(), ctypes.addressof(flags)
    library().hiera_arrow_export_values(columns, len(wanted), n_rows, exported.schema, exported.array)
    return exported
