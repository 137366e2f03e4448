#!/usr/bin/env python3
"""What is released says one version, and the files around it are complete: release.py BUILD PROGRAM...
Each program says the version of meson.build, and so do files that have to name it; NEWS.md has it first, in two screens; the SBOM has what the
build found; each file has a licence; recipes have no gaps."""

import json
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f'{" ".join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def read(path):
    return (TOP / path).read_text(encoding='utf-8')


def check_versions(version, programs):
    said = {pathlib.Path(program).name: run(program, '--version').split()[-1] for program in programs}
    for path, pattern in {'NEWS.md': r'^## (\S+)', 'CITATION.cff': r'^version: (\S+)', 'codemeta.json': r'^  "version": "(.*)"', 'python/hiera_mpi/__init__.py': r"^__version__ = '(.*)'", 'packaging/debian/changelog': r'\((.*)-\d+\)'}.items():
        said[path] = re.search(pattern, read(path), re.M).group(1)
    print(f'{version}: {" ".join(said)}')
    return [f'{name} says version {number}, meson.build {version}' for name, number in said.items() if number != version]


def check_notes(version):
    notes = run(TOP / 'scripts/release', 'notes')
    wanted = [f'# Hiera {version}', '### Added', '### Changed', '### Fixed']
    missing = [line for line in wanted if line not in notes.splitlines()]
    return [f'the release notes lack "{line}"' for line in missing] + ([] if len(notes.splitlines()) <= 100 else ['the release notes are longer than two screens'])


def check_sbom(build, version):
    """By SPDX 2.3: what has to be there, and references that lead somewhere."""
    document = json.loads(run(TOP / 'scripts/release', 'sbom', build))
    packages = {package['SPDXID']: package for package in document['packages']}
    names = {package['name'] for package in packages.values()}
    found = {d['name'] for d in json.loads(run('meson', 'introspect', '--dependencies', build))}
    problems = [f'the SBOM lacks {name}' for name in {'glib-2.0', 'igraph', 'libxml-2.0', 'zlib', 'libzstd', 'libdw', 'capstone', 'otf2'} & found - names]
    problems += [f'the SBOM lacks {key}' for key in ('spdxVersion', 'dataLicense', 'name', 'documentNamespace', 'creationInfo', 'relationships') if key not in document]
    if len(packages) != len(document['packages']) or not all(re.fullmatch(r'SPDXRef-[A-Za-z0-9.-]+', name) for name in packages):
        problems.append(f'names of packages in the SBOM: {sorted(packages)}')
    problems += [f'{package["name"]} has no licence' for package in packages.values() if package['name'] in found and package['licenseDeclared'] == 'NOASSERTION'
                 and not re.match('hdf5|netcdf', package['name'])]
    ends = {relation[end] for relation in document['relationships'] for end in ('spdxElementId', 'relatedSpdxElement')}
    problems += [f'the SBOM relates {name}, which is not in it' for name in ends - set(packages) - {'SPDXRef-DOCUMENT'}]
    if packages.get('SPDXRef-hiera-mpi', {}).get('versionInfo') != version:
        problems.append('the SBOM has no hiera-mpi of this version')
    print(f'{len(packages)} packages in the SBOM: {" ".join(sorted(names))}')
    return problems


TAG = 'SPDX-License-' + 'Identifier'  # in two parts: this file states none


def check_licences():
    """What `reuse lint` asks: a licence for each file, its text, and no other licence than that."""
    annotations = re.findall(rf'^path = "([^"]*)"$.*?^SPDX-FileCopyrightText = "[^"]+"$.*?^{TAG} = "([^"]*)"$', read('REUSE.toml'), re.M | re.S)
    tracked = run('git', '-C', TOP, 'ls-files').splitlines()
    covered = {name for name in tracked if any(glob == '**' or pathlib.PurePath(name).match(glob) for glob, _ in annotations)}
    licences, texts = {licence for _, licence in annotations}, {path.stem for path in (TOP / 'LICENSES').iterdir() if path.read_text(encoding='utf-8').strip()}
    stated = [(name, licence.strip()) for name, licence in re.findall(rf'^(.+?):.*{TAG}: ([^"\n]+)', subprocess.run(
        ['git', '-C', TOP, 'grep', '-I', f'{TAG}: '], capture_output=True, text=True, check=False).stdout, re.M)]
    print(f'{len(covered)} of {len(tracked)} files are covered by REUSE.toml, {len(stated)} state a licence themselves: {" ".join(sorted(licences))}')
    return ([f'{name} has no licence' for name in sorted(set(tracked) - covered)] + [f'LICENSES has {texts}, files have {licences}'] * (texts != licences)
            + [f'{name} states another licence: {licence}' for name, licence in stated if licence not in licences])


def check_recipes():
    """Filled in, they have no gap, and those in Python and JSON are such; all are in the table."""
    table, problems = read('packaging/README.md'), []
    for path in sorted((TOP / 'packaging').glob('*.in')):
        text = re.sub('@(version|sha256|url)@', '1', path.read_text(encoding='utf-8'))
        problems += [f'{path.name} has a gap: {gap}' for gap in re.findall(r'@\w+@', text)] + [f'packaging/README.md does not name {path.stem}'] * (path.stem not in table)
        if path.stem.endswith(('.py', '.eb')):
            compile(text, path.name, 'exec')
    json.loads(read('codemeta.json'))
    rows = re.findall(r'^\| ([\w -]+) \| (?:done|partly|not)\b', table, re.M)
    print(f'{len(rows)} conventions: {" ".join(rows)}')
    return problems + ([] if len(rows) >= 25 else ['the table of conventions is short'])


def main():
    build, programs = sys.argv[1], sys.argv[2:]
    version = json.loads(run('meson', 'introspect', '--projectinfo', build))['version']
    if not re.fullmatch(r'\d+\.\d+\.\d+', version):
        sys.exit(f'{version} is no semantic version')
    problems = check_versions(version, programs) + check_notes(version) + check_sbom(build, version) + check_licences() + check_recipes()
    for problem in problems[:20]:
        print(problem)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
