"""Suggests names if a library or header was not found, for example hdf5_openmpi for hdf5."""

import difflib
import glob
import os
import shlex
import subprocess


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ''


def libraries():
    """Names for -l of all libraries in the compiler's search path."""
    compiler = shlex.split(os.environ.get('CC', 'cc'))
    lines = [line for line in output(*compiler, '-print-search-dirs').splitlines() if line.startswith('libraries: =')]
    folders = [os.path.realpath(folder) for line in lines for folder in line[len('libraries: ='):].split(':')]
    return sorted({os.path.basename(path)[3:-3] for folder in dict.fromkeys(folders) for path in glob.glob(f'{folder}/lib*.so')})


def packages():
    return sorted(line.split()[0] for line in output('pkg-config', '--list-all').splitlines() if line.strip())


def names_like(name, names):
    """Libraries that begin with the name; if none, that contain it; if none, with a similar name."""
    plain = name.lower()
    return ([n for n in names if n.lower().startswith(plain)] or [n for n in names if plain in n.lower()] or difflib.get_close_matches(name, names))[:8]


def other_libraries(name):
    """Hint for the error: there is no library `name`."""
    near = names_like(name, libraries())
    return f'; there {"is" if len(near) == 1 else "are"} {", ".join(near)}' if near else ''


def flags_of(name):
    """Hint for the error: a header of the library `name` was not found."""
    known = names_like(name.replace('_', '-'), packages()) or names_like(name.split('_')[0], packages())
    return f'; give its flags after --, such as those of pkg-config --cflags {" or ".join(known)}' if known else '; give its -I after --'
