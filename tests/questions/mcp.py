#!/usr/bin/env python3
"""hiera-mcp over pipes: mcp.py HIERA-MCP HIERA-TRANSFORM. What its tools answer is what hiera-transform answers; what it may not read, it does not."""
import base64
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

TRACES = pathlib.Path(__file__).resolve().parents[1] / 'golden/traces'
FAILURES = []
SLOW = """#!/bin/sh
case "$*" in
--version) echo hiera-transform 1.2.3 ;;
*flood*) exec yes ;;
*) echo $$ >{pid}; exec sleep 100 ;;
esac
"""


def check(what, expected, found):
    if expected != found:
        FAILURES.append(f'{what}: expected {expected!r}, found {found!r}'[:600])


class Session:
    def __init__(self, server, folder, *options):
        self.process = subprocess.Popen([sys.executable, server, str(folder), *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0

    def say(self, line):
        self.process.stdin.write(line + b'\n')
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **params):
        self.id += 1
        reply = self.say(json.dumps({'jsonrpc': '2.0', 'id': self.id, 'method': method, 'params': params}).encode())
        check(f'id of {method}', (self.id, '2.0'), (reply['id'], reply['jsonrpc']))
        return reply

    def call(self, name, **arguments):
        """(is it an error, the text) of a tool."""
        result = self.ask('tools/call', name=name, arguments=arguments)['result']
        return result['isError'], result['content'][-1]['text']

    def code(self, method, **params):
        return self.ask(method, **params).get('error', {}).get('code')

    def end(self):
        self.process.stdin.close()
        check('left on standard output, and exit status', (b'', 0), (self.process.stdout.read(), self.process.wait(20)))


def protocol(session, version):
    hello = session.ask('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'test', 'version': '1'})['result']
    check('version, name', ('2025-06-18', 'hiera-mcp', version), (hello['protocolVersion'], hello['serverInfo']['name'], hello['serverInfo']['version']))
    check('another version', '2025-06-18', session.ask('initialize', protocolVersion='1999-01-01')['result']['protocolVersion'])
    session.process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')  # no answer
    check('ping', {}, session.ask('ping')['result'])
    tools = session.ask('tools/list')['result']['tools']
    check('tools', ['summary', 'measure', 'where', 'compare', 'timeline'], [tool['name'] for tool in tools])
    check('each only reads', {True}, {tool['annotations']['readOnlyHint'] and set(tool['inputSchema']['required']) <= set(tool['inputSchema']['properties']) for tool in tools})
    check('no method', -32601, session.code('resources/list'))
    for params in ({'name': 'delete', 'arguments': {}}, {'name': 'summary', 'arguments': {}}, {'name': 'summary', 'arguments': {'run': 1}}, {'name': 'summary', 'arguments': {'run': 'late', 'html': 'x'}},
                   {'name': 'measure', 'arguments': {'run': 'late', 'measure': 'waits', 'top': True}}, {'name': 'summary', 'arguments': {'run': 'late', 'format': 'table'}}, {'name': 'summary', 'arguments': []}):
        check(str(params), -32602, session.code('tools/call', **params))
    for line, code in ((b'{"jsonrpc"', -32700), (b'[' * 100000, -32700), (b'[]', -32600), (b'{"id": 1, "method": "ping"}', -32600), (b'"' + b'x' * (1 << 21) + b'"', -32600)):
        check(line[:30], (None, code) if code != -32600 or line[:1] != b'{' else (1, code), (lambda reply: (reply['id'], reply['error']['code']))(session.say(line)))


def answers(session, transform):
    def says(*words):
        return subprocess.run([transform, *words, '--quiet'], cwd=TRACES, capture_output=True, text=True, check=False).stdout
    for tool, arguments, words in (
            ('summary', {'run': 'late'}, ('./late', '--format', 'brief')),
            ('summary', {'run': 'late/trace0.xml', 'format': 'json'}, ('./late/trace0.xml', '--format', 'json')),
            ('measure', {'run': 'late', 'measure': 'waits,causes', 'top': 2}, ('./late', '--measure', 'waits,causes', '--top', '2', '--format', 'json')),
            ('measure', {'run': 'late', 'measure': 'imbalance', 'by': 'rank', 'format': 'brief', 'from': 1.5}, ('./late', '--measure', 'imbalance', '--by', 'rank', '--from', '1.5', '--format', 'brief')),
            ('measure', {'run': 'late', 'measure': 'list'}, ('--measure', 'list')),
            ('where', {'run': 'late', 'where': 'bytes > 0'}, ('./late', '--where', 'bytes > 0', '--measure', 'operations', '--format', 'json')),
            ('compare', {'before': 'phases', 'after': 'late', 'by': 'waiting'}, ('phases', 'late', '--measure', 'diff', '--by', 'waiting', '--format', 'json'))):
        failed, text = session.call(tool, **arguments)
        expected = says(*words)
        if tool in ('summary', 'measure') and arguments.get('format', 'brief' if tool == 'summary' else '') == 'brief':
            text, expected = text.partition('\n')[2], expected.partition('\n')[2]  # the command is spelled in another way
        check(f'{tool} {arguments}', (False, expected.replace('phases/', './phases/')), (failed, text.replace('phases/', './phases/')))
    for tool, arguments, said in (('measure', {'run': 'late', 'measure': 'wait'}, "there is no measure 'wait'"), ('where', {'run': 'late', 'where': 'bytes >'}, '--where'), ('summary', {'run': 'lat'}, 'there is no lat'),
                                  ('summary', {'run': 'la\0te'}, 'zero byte'), ('summary', {'run': 'late', 'ranks': '\ud800'}, ''), ('timeline', {'run': 'late', 'ranks': '77'}, '')):
        failed, text = session.call(tool, **arguments)
        check(f'{tool} {arguments}: {text}', (True, True), (failed, said in text))
    drawing, text = session.ask('tools/call', name='timeline', arguments={'run': 'late'})['result']['content']
    data = base64.b64decode(drawing['data'])
    width, height = struct.unpack('>II', data[16:24])
    length, = struct.unpack('>I', data[33:37])
    pixels = zlib.decompress(data[41:41 + length])
    check('picture', (b'\x89PNG', 'image/png', 1000, 48, 48 * 3001), (data[:4], drawing['mimeType'], width, height, len(pixels)))
    check('rank 0 computes, and waits at 6 s; rank 1 waits at 3 s', [(70, 160, 90), (215, 60, 50), (215, 60, 50)],
          [tuple(pixels[row * 3001 + 1 + 3 * x:row * 3001 + 4 + 3 * x]) for row, x in ((5, 100), (5, 600), (30, 300))])
    check('text', True, text['text'].startswith('2 ranks (0, 1)'))


def outside(server, work):
    """Nothing leads out of the folder."""
    inside = work / 'inside'
    for name in ('run', 'linked', 'named', 'entity', 'link-within'):
        shutil.copytree(TRACES / 'late', inside / name)
    shutil.copytree(TRACES / 'late', work / 'inside-not')  # begins with the same name
    (inside / 'away').symlink_to(TRACES / 'late')
    (inside / 'linked/trace1.xml').unlink()
    (inside / 'linked/trace1.xml').symlink_to(TRACES / 'late/trace1.xml')
    (inside / 'link-within/trace1.xml').unlink()
    (inside / 'link-within/trace1.xml').symlink_to(inside / 'run/trace1.xml')
    collector = '<?xml version="1.0"?>\n{}<hieraCollector application="x" count_proc="1"><collect_file rank="P0">{}</collect_file></hieraCollector>\n'
    (inside / 'named/hieraCollector.xml').write_text(collector.format('', '&#47;etc/passwd'))
    (inside / 'entity/hieraCollector.xml').write_text(collector.format('<!DOCTYPE hieraCollector [<!ENTITY e "/etc/passwd">]>', '&e;'))
    session = Session(server, inside)
    for run in ('../inside-not', '..', str(work / 'inside-not'), '/etc', 'run/../../inside-not', 'away', 'linked', 'linked/trace1.xml', 'named', 'entity', 'named/hieraCollector.xml'):
        failed, text = session.call('summary', run=run)
        check(f'{run}: {text}', (True, True), (failed, 'outside' in text or 'entities' in text))
    check('outside, compared', True, session.call('compare', before='run', after='../inside-not')[0])
    check('inside', [False] * 4, [session.call('summary', run=run)[0] for run in ('run', './run/../run', str(inside / 'run'), 'link-within')])
    session.end()


def limits(server, work):
    """A child that takes too long, or says too much, is ended."""
    (work / 'slow').mkdir()
    shutil.copy(server, work / 'slow/hiera-mcp')
    (work / 'slow/hiera-transform').write_text(SLOW.format(pid=work / 'pid'))
    (work / 'slow/hiera-transform').chmod(0o755)
    session = Session(work / 'slow/hiera-mcp', TRACES, '--seconds', '0.5')
    failed, text = session.call('summary', run='late')
    check(f'too long: {text}', (True, True), (failed, 'no answer in 0.5 s' in text))
    child = int((work / 'pid').read_text())
    check('the child is ended', False, pathlib.Path(f'/proc/{child}').exists())
    failed, text = session.call('measure', run='late', measure='flood')
    check(f'too much: {text}', (True, True), (failed, 'more than 200000 bytes' in text))
    session.end()
    session = Session(work / 'slow/hiera-mcp', TRACES)  # it is ended itself, and its child with it
    (work / 'pid').unlink()
    session.process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "summary", "arguments": {"run": "late"}}}\n')
    session.process.stdin.flush()
    end = time.monotonic() + 60
    while not ((work / 'pid').exists() and (work / 'pid').read_text().strip()) and time.monotonic() < end:
        time.sleep(0.01)
    session.process.terminate()
    session.process.wait(20)
    check('no child is left', False, pathlib.Path(f'/proc/{int((work / "pid").read_text())}').exists())


def main(server, transform):
    version = subprocess.run([transform, '--version'], capture_output=True, text=True, check=True).stdout.split()[-1]
    session = Session(server, TRACES)
    protocol(session, version)
    answers(session, os.path.abspath(transform))
    session.end()
    with tempfile.TemporaryDirectory() as folder:
        outside(server, pathlib.Path(folder).resolve())
        limits(server, pathlib.Path(folder).resolve())
    print(f'{session.id} requests')
    return FAILURES


if __name__ == '__main__':
    sys.exit('\n'.join(main(*sys.argv[1:])) or 0)
