#!/usr/bin/env python3
"""Write the nine assertions of "Performance Assertions for MPI Metrics" (S. Reuß, TU Darmstadt, 2013) into the sources of MILC 7.7.8:
milc.py [--pragma] FOLDER. Its places are those of su3_rmd (ks_imp_dyn); --pragma writes the pragmas of the thesis, for hiera-cc."""

import argparse
import pathlib
import re
import sys

MODEL = ('abs((18 * 4 * pow($nx * $ny * $nz * $nt / nMPIProcesses($MPI_COMM_WORLD), 0.75) / (${PA_TRANSFER_RATE} / 8000) + '
         '${PA_TRANSFER_LATENCY} * microseconds) * GATHERS * $pa_gfactor - MPITransferTime) / MPITransferTime < 0.1')

# File, line in the thesis, first and last line of the statement (parts of them; the last one counts from the first), expectation.
PLACES = [
    ('ks_imp_dyn/control.c', 60, 'traj_done < trajecs;', '/* end loop over trajectories */',
     'MPITime < 5.6*seconds & (nMPIProcesses($MPI_COMM_WORLD) == 1 -> MPITime/WallTime < 0.01)'),
    ('ks_imp_dyn/control.c', 63, 's_iters=update();', ';', 'MPIWaitTime < MPITransferTime'),
    ('ks_imp_dyn/control.c', 78, 'restore_fermion_links_from_site(fn_links, prec_pbp);', ';', 'WallTime <= 0'),
    ('ks_imp_dyn/update.c', 117, 'update_h(epsilon);', ';', '7.8 * pow(nMPIProcesses($MPI_COMM_WORLD), -0.93) * seconds > WallTime'),
    ('ks_imp_dyn/update_u.c', 18, 'register int i,dir;', 'numnodes())', 'MPITime == 0'),
    ('ks_imp_dyn/update_h.c', 26, 'imp_gauge_force(eps,', ';', MODEL.replace('GATHERS', '828')),
    ('ks_imp_dyn/update_h.c', 46, 'eo_fermion_force_twoterms_site( eps,', ';', MODEL.replace('GATHERS', '1616')),
    ('generic_ks/fermion_links_from_site.c', 33, '#if FERM_ACTION == HISQ\n  restore', '#endif', 'MPITime / WallTime < 0.2'),
    ('generic_ks/d_congrad5_fn.c', 132, 'iters = ks_congrad_site( src, dest, &qic, mass, fn );', ';',
     'MPICollectiveTime < ($iters + 1) * 14.1794 * log(1.23264 * nMPIProcesses($MPI_COMM_WORLD)) * microseconds'),
]

# What a gather sends and receives, on average over the dimensions: nothing in those that are not cut.
GATHER_FACTOR = '''static double pa_getGatherFactor(void)
{
  const int *parts = get_logical_dimensions();
  int dir, cut = 0;
  for(dir = 0; dir < 4; dir++)
    cut += parts[dir] > 1;
  return 2. * cut / 4;
}
'''


def declared(name, line, text):
    """The assertion as a declaration, with the variables that it asks for."""
    variables = sorted(set(re.findall(r'\$(\w+)', text)) - {'MPI_COMM_WORLD'})
    return f'HIERA_ASSERT_AT("{name}", {line}, {", ".join([chr(34) + text + chr(34), *variables])});\n'


def surround(source, place, as_pragma):
    """The source with the statement of the place in a block that has the assertion; None if there is no such statement, or more than one."""
    path, line, first, last, text = place
    if source.count(first) != 1:
        return None
    at = source.index(first)
    begin = source.rindex('\n', 0, at) + 1
    end = source.find(last, at + len(first) if last == '#endif' else at)
    if end < 0:
        return None
    end = source.index('\n', end) + 1
    if as_pragma:
        return f'{source[:begin]}#pragma perfAssertion {text}\n{{\n{source[begin:end]}}}\n{source[end:]}'
    return f'{source[:begin]}{{\n{declared(path.rsplit("/", 1)[1], line, text)}{source[begin:end]}}}\n{source[end:]}'


def edit(folder, path, as_pragma):
    """Write the assertions of one file. Returns how many places were not found."""
    source = (folder / path).read_text()
    missing = 0
    for place in (place for place in PLACES if place[0] == path):
        edited = surround(source, place, as_pragma)
        if edited is None:
            missing += 1
            print(f'milc.py: {path}: not found, or not once: {place[2].splitlines()[0]} (line {place[1]} in the thesis)', file=sys.stderr)
        source = edited or source
    if path.endswith('update_h.c'):
        source = source.replace('void update_h( Real eps ){\n', f'{GATHER_FACTOR}\nvoid update_h( Real eps ){{\n  double pa_gfactor = pa_getGatherFactor();\n', 1)
    if not as_pragma:
        source = '#include <hiera.h>\n' + source
    (folder / path).write_text(source)
    return missing


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pragma', action='store_true', help='write pragmas, as the thesis does')
    parser.add_argument('folder', type=pathlib.Path, help='of the sources of MILC')
    options = parser.parse_args()
    paths = list(dict.fromkeys(place[0] for place in PLACES))
    if any('perfAssertion' in (options.folder / path).read_text() or 'HIERA_ASSERT' in (options.folder / path).read_text() for path in paths):
        sys.exit('milc.py: these sources have assertions already')
    missing = sum(edit(options.folder, path, options.pragma) for path in paths)
    print(f'{len(PLACES) - missing} of {len(PLACES)} assertions written')
    return 1 if missing else 0


if __name__ == '__main__':
    sys.exit(main())
