#!/usr/bin/env python3
"""sarif.py HIERA-TRANSFORM: --format sarif writes what readers of SARIF 2.1.0 expect, with the findings of --format json.

SHAPES is what the schema of OASIS says of the objects that are used: members that must be there, and members that may, with the type of each."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SHAPES = {
    'log': ({'version': str, 'runs': ['run']}, {'$schema': str}),
    'run': ({'tool': 'tool', 'results': ['result']}, {'originalUriBaseIds': dict}),
    'tool': ({'driver': 'driver'}, {}),
    'driver': ({'name': str, 'rules': ['rule']}, {'version': str}),
    'rule': ({'id': str}, {'shortDescription': 'text', 'fullDescription': 'text', 'help': 'text'}),
    'text': ({'text': str}, {}),
    'result': ({'message': 'text'}, {'ruleId': str, 'ruleIndex': int, 'level': str, 'occurrenceCount': int, 'locations': ['location'],
                                     'relatedLocations': ['location'], 'partialFingerprints': dict, 'suppressions': ['suppression']}),
    'location': ({}, {'physicalLocation': 'place', 'message': 'text'}),
    'place': ({'artifactLocation': 'file'}, {'region': 'region'}),
    'file': ({'uri': str}, {'uriBaseId': str}),
    'region': ({'startLine': int}, {}),
    'suppression': ({'kind': str}, {'justification': str}),
}


def wrong_shape(value, shape):
    """What is wrong with a value, a sentence each."""
    if isinstance(shape, list):
        return [sentence for part in value for sentence in wrong_shape(part, shape[0])] if isinstance(value, list) else [f'{value!r} is no list']
    if isinstance(shape, type):
        return [] if isinstance(value, shape) else [f'{value!r} is no {shape.__name__}']
    required, optional = SHAPES[shape]
    wrong = [f'{shape} lacks {name}' for name in required if name not in value]
    for name, part in value.items():
        known = {**required, **optional}.get(name)
        wrong += wrong_shape(part, known) if known else [f'{shape} must not have {name}']
    return wrong


def ask(transform, folder, *options):
    return subprocess.run([transform, folder, '--validate', *options], cwd=HERE, capture_output=True, text=True, timeout=60, check=False)


def check(transform, folder):
    """Check the answer about one run. Return its results, and what is wrong."""
    answer, listed = ask(transform, folder, '--format', 'sarif'), ask(transform, folder, '--format', 'json')
    log, findings = json.loads(answer.stdout), json.loads(listed.stdout)['findings']
    wrong = wrong_shape(log, 'log') + [f'version {log["version"]}'] * (log['version'] != '2.1.0')
    run = log['runs'][0]
    rules, results = run['tool']['driver']['rules'], run['results']
    said = [(r['level'], r['ruleId'].replace('-', ' '), r['occurrenceCount'], r['message']['text']) for r in results]
    if said != [(f['severity'], f['kind'], f['count'], f['message']) for f in findings] or answer.returncode != listed.returncode:
        wrong.append(f'{said} are not the findings of --format json')
    for result in results:
        wrong += [f'{result["ruleId"]} is rule {result["ruleIndex"]}'] * (rules[result['ruleIndex']]['id'] != result['ruleId'])
        for place in result['locations'] + result['relatedLocations']:
            file = place['physicalLocation']['artifactLocation']
            wrong += [f'{file} is not relative'] * (file.get('uriBaseId') != 'SRCROOT' or file['uri'].startswith(('/', 'file:', './')))
    return results, wrong


def place_of(location):
    place = location['physicalLocation']
    return f'{place["artifactLocation"]["uri"]}:{place["region"]["startLine"]}'


KNOWN = """# What is known of these traces.
types g.c:1 the peer is mended in the next release
types g.c:1? rows of a table that both sides write
leak  *      freed by a library
"""


def check_known(transform):
    """--suppress, in SARIF and in text."""
    with tempfile.TemporaryDirectory() as folder:
        known = pathlib.Path(folder, 'known.txt')
        known.write_text(KNOWN, encoding='utf-8')
        log = json.loads(ask(transform, 'traces/rules/types', '--format', 'sarif', '--suppress', known).stdout)
        text = ask(transform, 'traces/rules/types', '--suppress', known).stdout
        known.write_text('leak g.c:1\n', encoding='utf-8')
        refused = ask(transform, 'traces/rules/types', '--suppress', known)
        known.write_text('* * each finding\n', encoding='utf-8')
        refused_too = ask(transform, 'traces/rules/types', '--suppress', known)
    reasons = [r['suppressions'][0]['justification'] for r in log['runs'][0]['results'] if 'suppressions' in r]
    wrong = [f'reasons {reasons}'] * (reasons != ['the peer is mended in the next release', *3 * ['rows of a table that both sides write']])
    said = re.search(r'known.txt:4: note: no finding of leak at \* \[suppression\]\n(.*\n)*errors: 8; warnings: 2; notes: 1\nsuppressed: 7\n$', text)
    wrong += [f'text {text}'] * (not said or 'g.c:11)' in text)
    wrong += [f'refused {run.returncode} {run.stderr}' for run, words in ((refused, 'known.txt:1: write a rule'), (refused_too, "known.txt:1: there is no rule '*'"))
              if run.returncode != 2 or words not in run.stderr]
    return wrong


def main():
    transform = str(pathlib.Path(sys.argv[1]).resolve())
    wrong, count = [], 0
    for folder in sorted(HERE.glob('traces/rules/*/')):
        results, sentences = check(transform, folder.relative_to(HERE))
        wrong += [f'{folder.name}: {sentence}' for sentence in sentences]
        count += len(results)
    kinds = set(re.findall(r'^ +X\(\w+, "([\w ]+)", [A-Z]+', (HERE / '../../transform/hiera_findings.h').read_text(encoding='utf-8'), re.M))
    listed = subprocess.run([transform, '--explain', 'list'], capture_output=True, text=True, check=True).stdout
    rules = set(re.findall(r'^([\w-]+) ', listed, re.M))
    wrong += [f'the kinds of findings {kinds} are not the rules {rules}'] * ({kind.replace(' ', '-') for kind in kinds} != rules - {'other'})
    order = check(transform, 'traces/rules/order')[0]
    places = [place_of(location) for location in order[1]['locations'] + order[1]['relatedLocations']]
    wrong += [f'places {places}'] * (places != ['g.c:4', 'g.c:4', 'traces/rules/order/trace0.xml:7'])
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(HERE / 'traces/rules/types', copy, dirs_exist_ok=True)
        prints = [[r['partialFingerprints']['hieraFinding/v1'] for r in json.loads(ask(transform, folder, '--format', 'sarif').stdout)['runs'][0]['results']]
                  for folder in ('traces/rules/types', copy)]
    wrong += [f'fingerprints {prints}'] * (prints[0] != prints[1] or len(set(prints[0])) < 10)
    wrong += check_known(transform)
    print('\n'.join([*wrong, f'{count} findings, {len(wrong)} wrong']))
    sys.exit(1 if wrong or count < 40 else 0)


if __name__ == '__main__':
    main()
