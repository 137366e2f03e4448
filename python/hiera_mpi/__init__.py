"""Traces of Hiera in Python: operations, messages and measures of an MPI program as tables.

    >>> import hiera_mpi
    >>> run = hiera_mpi.open("run/")
    >>> print(run.summary)                                # what hiera-transform says of the run
    >>> run.operations                                    # a table of all operations
    >>> run.operations["start_ns"].values                 # one column, as a memoryview
    >>> run.operations.to_pandas()                        # or .to_polars(), .to_arrow()
    >>> run.measure("imbalance", by="rank").to_pandas()   # any measure of hiera-transform
    >>> for note in run.notes: print(note)                # what is wrong with the traces

open() reads the traces of a run and returns a Run; its tables are of the class Table, their
columns of the class Column. A table can be given to whatever understands Arrow's PyCapsule
interface, for example pyarrow.table(run.operations) or polars.DataFrame(run.operations); nothing
needs to be installed for the rest. What is wrong with the input is a HieraError, whose text says
where, and what to do.

It needs an installed Hiera of the same major version: the library libhiera-graph, and
hiera-transform for measures and the summary. The library is looked for beside the hiera-transform
that PATH finds, then where the loader looks (LD_LIBRARY_PATH), then where pkg-config says.
"""

from ._library import HieraError, Note
from ._run import Run, open
from ._table import Column, Table

__version__ = '1.0.0'
for _public in (Column, HieraError, Note, Run, Table, open):
    _public.__module__ = __name__  # the name by which users know them
__all__ = ['Column', 'HieraError', 'Note', 'Run', 'Table', 'open']
