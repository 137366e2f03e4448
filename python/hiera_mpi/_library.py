"""libhiera-graph by ctypes: where it is, its structures and functions (hiera_arrow.h, hiera_findings.h)."""

from __future__ import annotations

import ctypes
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
from typing import Any, Iterator, NamedTuple, Sequence

SONAME = 'libhiera-graph.so.1'
PROGRAM = 'hiera-transform'


def printable(path: str) -> str:
    """A path whose bytes may be no UTF-8, as text."""
    return os.fsencode(path).decode(errors='replace')


class Note(NamedTuple):
    """Something that is wrong with the traces, or limits an answer.

    >>> note.severity, note.kind, note.file, note.line
    ('warning', 'cut', 'run/trace2.xml', 812)
    """

    severity: str  #: note, warning or error
    kind: str  #: its name in JSON, for example "cut"
    message: str  #: what is wrong, and what to do
    file: str = ''  #: the trace file; "" if it is about none
    line: int = 0  #: the line in the file; 0 if it is about none
    count: int = 1  #: how often it occurred

    def __str__(self) -> str:
        file = printable(self.file)
        place = f'{file}:{self.line}: ' if self.line else f'{file}: ' if file else ''
        return f'{place}{self.message}'


class HieraError(Exception):
    """The input, or what was asked for, makes no sense.

    The text says where, and what to do; `notes` has all that is wrong with the traces.
    """

    def __init__(self, message: str, notes: Sequence[Note] = ()) -> None:
        super().__init__(message)
        self.notes = list(notes)


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


class ArrowArrayStream(ctypes.Structure):
    pass


def _members(structure: Any, texts: str, numbers: str, pointers: str) -> list:
    """The members of a structure of Arrow; all end in the same way."""
    return ([(name, ctypes.c_char_p) for name in texts.split()] + [(name, ctypes.c_int64) for name in numbers.split()]
            + [(name, ctypes.POINTER(ctypes.c_void_p)) for name in pointers.split()]
            + [('children', ctypes.POINTER(ctypes.POINTER(structure))), ('dictionary', ctypes.POINTER(structure)),
               ('release', ctypes.CFUNCTYPE(None, ctypes.POINTER(structure))), ('private_data', ctypes.c_void_p)])


ArrowSchema._fields_ = _members(ArrowSchema, 'format name metadata', 'flags n_children', '')
ArrowArray._fields_ = _members(ArrowArray, '', 'length null_count offset n_buffers n_children', 'buffers')
ArrowArrayStream._fields_ = [(name, ctypes.c_void_p) for name in ('get_schema', 'get_next', 'get_last_error')] + [
    ('release', ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArrayStream))), ('private_data', ctypes.c_void_p)]


class Values(ctypes.Structure):
    """HieraArrowValues."""

    _fields_ = [('name', ctypes.c_char_p), ('format', ctypes.c_char_p), ('values', ctypes.c_void_p), ('known', ctypes.c_void_p)]


class _Finding(ctypes.Structure):
    _fields_ = [('code', ctypes.c_int), ('file', ctypes.c_char_p), ('line', ctypes.c_uint32), ('count', ctypes.c_uint64), ('message', ctypes.c_char_p)]


class _GError(ctypes.Structure):
    _fields_ = [('domain', ctypes.c_uint32), ('code', ctypes.c_int), ('message', ctypes.c_char_p)]


_ERROR = ctypes.POINTER(ctypes.POINTER(_GError))
_TEXTS = ctypes.POINTER(ctypes.c_char_p)
_SCHEMA, _ARRAY = ctypes.POINTER(ArrowSchema), ctypes.POINTER(ArrowArray)
_FUNCTIONS: dict[str, tuple[Any, list]] = {
    'hiera_arrow_load': (ctypes.c_void_p, [_TEXTS, ctypes.c_void_p, _ERROR]),
    'hiera_arrow_free': (None, [ctypes.c_void_p]),
    'hiera_arrow_export': (ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, _TEXTS, _SCHEMA, _ARRAY, _ERROR]),
    'hiera_arrow_export_values': (None, [ctypes.POINTER(Values), ctypes.c_uint, ctypes.c_size_t, _SCHEMA, _ARRAY]),
    'hiera_arrow_stream': (None, [_SCHEMA, _ARRAY, ctypes.POINTER(ArrowArrayStream)]),
    'hiera_findings_new': (ctypes.c_void_p, []),
    'hiera_findings_free': (None, [ctypes.c_void_p]),
    'hiera_findings_count': (ctypes.c_uint, [ctypes.c_void_p]),
    'hiera_findings_peek': (ctypes.POINTER(_Finding), [ctypes.c_void_p, ctypes.c_uint]),
    'hiera_findings_partial': (ctypes.c_int, [ctypes.c_void_p]),
    'hiera_finding_severity': (ctypes.c_int, [ctypes.c_int]),
    'hiera_finding_name': (ctypes.c_char_p, [ctypes.c_int]),
    'g_error_free': (None, [ctypes.POINTER(_GError)]),
}


def _pkg_config(variable: str) -> list[str]:
    """What pkg-config knows of the library; nothing without it."""
    if not shutil.which('pkg-config'):
        return []
    return subprocess.run(['pkg-config', f'--variable={variable}', 'hiera-graph'], capture_output=True, text=True, check=False).stdout.split()


def _prefixes() -> Iterator[pathlib.Path]:
    """Folders whose lib/ may have the library: those of the program, and of this Python."""
    found = shutil.which(PROGRAM)
    if found:
        yield pathlib.Path(found).resolve().parent.parent
    yield pathlib.Path(sys.prefix)


def _candidates() -> Iterator[str]:
    """Names by which the library may be loaded; the first one that is there counts."""
    beside = ['lib', f'lib/{sysconfig.get_config_var("MULTIARCH")}', 'lib64', '.']
    paths = [prefix / folder / SONAME for prefix in _prefixes() for folder in beside]
    yield from (str(path) for path in paths if path.is_file())
    yield SONAME
    yield from (f'{folder}/{SONAME}' for folder in _pkg_config('libdir'))


@functools.lru_cache(None)
def library() -> Any:
    """The library, with the types of its functions. Raises HieraError if it is not there."""
    reasons = []
    for name in _candidates():
        try:
            lib = ctypes.CDLL(name)
            for function, (result, arguments) in _FUNCTIONS.items():
                getattr(lib, function).restype, getattr(lib, function).argtypes = result, arguments
            return lib
        except OSError as error:
            reasons.append(str(error))
        except AttributeError as error:
            reasons.append(f'{error} (an older Hiera)')
    raise HieraError(f'Hiera itself is missing, whose library {SONAME} reads traces. Install it (Debian: hiera-mpi-tools), put the folder of {PROGRAM} '
                     f'into PATH, or that of the library into LD_LIBRARY_PATH. Tried: {"; ".join(dict.fromkeys(reasons))}')


@functools.lru_cache(None)
def program() -> str:
    """Path of hiera-transform. Raises HieraError if it is not there."""
    found = shutil.which(PROGRAM)
    if not found:
        found = shutil.which(PROGRAM, path=os.pathsep.join(f'{prefix}/bin' for prefix in [*_pkg_config('prefix'), sys.prefix]))
    if not found:
        raise HieraError(f'{PROGRAM} is missing, which answers this. Install it (Debian: hiera-mpi-tools), or put its folder into PATH')
    return found


def texts(words: Sequence[str | bytes]) -> Any:
    """Words as a NULL-terminated array of C."""
    for word in words:
        if b'\0' in os.fsencode(word):
            raise HieraError(f'{word!r}: a name with a zero byte')
    return (ctypes.c_char_p * (len(words) + 1))(*(os.fsencode(word) for word in words), None)


def notes_of(findings: int) -> list[Note]:
    lib, found = library(), []
    for i in range(lib.hiera_findings_count(findings)):
        one = lib.hiera_findings_peek(findings, i).contents
        severity = ('note', 'warning', 'error')[lib.hiera_finding_severity(one.code)]
        kind, message = lib.hiera_finding_name(one.code).decode(), one.message.decode(errors='replace')
        found.append(Note(severity, kind, message, os.fsdecode(one.file or b''), one.line, one.count))
    return found


def raise_error(error: Any, notes: Sequence[Note] = ()) -> None:
    """Raise what a function of the library has said."""
    message = error.contents.message.decode(errors='replace')
    library().g_error_free(error)
    raise HieraError(message, notes)


def new_error() -> Any:
    return ctypes.POINTER(_GError)()


class Shared:
    """What is in memory of the library: a copy is the thing itself, and no other process can have it."""

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce__(self) -> Any:
        raise TypeError(f'{type(self).__name__} cannot be pickled, as its memory is that of this process: give the other process the paths to open, '
                        'or what to_pandas() returns')


class Exported(Shared):
    """An array of structures that the library has exported, until nobody uses it: each view of a column refers to it."""

    def __init__(self) -> None:
        self.schema, self.array = ArrowSchema(), ArrowArray()

    def stream(self) -> Any:
        """A capsule with a stream of this array, which is given away."""
        stream = ArrowArrayStream()
        library().hiera_arrow_stream(self.schema, self.array, stream)
        return _capsule(stream)

    def __del__(self) -> None:
        for structure in (self.array, self.schema):
            if structure.release:
                structure.release(structure)


# --- capsules: an object of Python with a pointer and a function that frees it ---

_NAME = b'arrow_array_stream'
_given: dict[int, ArrowArrayStream] = {}  # address -> stream, as long as its capsule is there


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _end_capsule(capsule: int) -> None:
    """Free the stream of a capsule; who took the stream out of it has set release to NULL. The capsule has no references any more: it is a number here."""
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(('PyCapsule_GetPointer', ctypes.pythonapi))
    stream = _given.pop(get(capsule, _NAME))
    if stream.release:
        stream.release(stream)


def _capsule(stream: ArrowArrayStream) -> Any:
    address = ctypes.addressof(stream)
    _given[address] = stream
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(('PyCapsule_New', ctypes.pythonapi))
    return new(address, _NAME, ctypes.cast(_end_capsule, ctypes.c_void_p))
