"""Prints where ranks of this machine's MPICH wait for each other in MPI_Init without yielding (yield.c), as -DMPICH_LOOP=OFFSET; nothing if there is no such loop."""
import pathlib
import re
import shutil
import subprocess

# while (barrier->wait == sense);  with the addresses of both
LOOP = re.compile(rb'\x48\x8b\x05....\x8b\x50\x04\x8b\x05....\x39\xd0\x74\xec', re.S)

ldconfig = shutil.which('ldconfig', path='/sbin:/usr/sbin')
listed = subprocess.run([ldconfig, '-p'], stdout=subprocess.PIPE, text=True, check=True).stdout if ldconfig else ''
library = re.search(r'libmpich\.so\S* \(.*x86-64.*\) => (\S+)', listed)
places = [found.start() for found in LOOP.finditer(pathlib.Path(library[1]).read_bytes())] if library else []
print(f'-DMPICH_LOOP={places[0]:#x}' if len(places) == 1 else '')
