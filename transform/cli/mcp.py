#!/usr/bin/env python3
"""Answer an assistant's questions about the traces below FOLDER: a server of
the Model Context Protocol on standard input and output (JSON-RPC 2.0, a line
each). Its tools run hiera-transform, and pass on what --format json and brief
answer. It opens no network, writes no file, and reads nothing outside of
FOLDER."""
import argparse
import base64
import html
import json
import os
import re
import selectors
import signal
import struct
import subprocess
import sys
import time
import zlib

VERSIONS = ('2025-06-18', '2025-03-26', '2024-11-05')
LINE_MAX = 1 << 20  # bytes of a request
NAMES_MAX = 1 << 24  # bytes of a hieraCollector.xml
PICTURE = {'bins': 200, 'ranks': 128, 'bytes': 64 << 20}  # of a timeline: parts of the run, ranks that are drawn, bytes of their numbers
COLOURS = {'useful': (70, 160, 90), 'waiting': (215, 60, 50), 'communication': (50, 110, 200)}

RUN = {'type': 'string', 'description': 'folder of a run, relative to the folder of the server; "." is that folder'}
PART = {'ranks': {'type': 'string', 'description': 'only these ranks, as 0-3,8'},
        'from': {'type': 'number', 'description': 'only from this second on'},
        'to': {'type': 'number', 'description': 'only before this second'},
        'where': {'type': 'string', 'description': 'only operations for which this expression is true, as bytes > 1MB && operation == "send"'}}
FORM = {'format': {'enum': ['json', 'brief'], 'description': 'rows with units and reasons, or at most 2,000 characters'}}
MEASURE = {'measure': {'type': 'string', 'description': 'name of a measure, as waits; list: all of them, with their columns'}}
SHAPE = {'by': {'type': 'string', 'description': 'what rows are about, a word of the measure'},
         'level': {'type': 'string', 'description': 'only operations of this level, as mpi or app'},
         'columns': {'type': 'string', 'description': 'only these columns, separated by commas'},
         'sort': {'type': 'string', 'description': 'column to sort by'},
         'top': {'type': 'integer', 'description': 'only the first rows of each table'}}
# What each tool takes; the first ones are required.
TOOLS = {
    'summary': ('What is slow in a run, where, on which rank, because of whom; or why it did not end. Ask this first.', ['run'], {'run': RUN, **PART, **FORM}),
    'measure': ('Rows of one measure: waits, causes, profile, efficiency, hang, …', ['run', 'measure'], {'run': RUN, **MEASURE, **SHAPE, **PART, **FORM}),
    'where': ('Which operations an expression chooses: how many, at which lines, on which ranks.', ['run', 'where'], {'run': RUN, **PART, **SHAPE, **FORM}),
    'compare': ('What became slower between two runs, and where.', ['before', 'after'],
                {'before': RUN, 'after': RUN, 'by': {'enum': ['reference', 'waiting'], 'description': 'waiting: with the part that is waiting'}, 'top': SHAPE['top'], **FORM}),
    'timeline': ('A picture of a run: a line for each rank, time to the right; what computes, waits, communicates.', ['run'],
                 {'run': RUN, 'ranks': PART['ranks'], 'from': PART['from'], 'to': PART['to']}),
}
TYPES = {'string': str, 'number': (int, float), 'integer': int}
DEFAULTS = {'summary': {'measure': 'summary', 'format': 'brief'}, 'measure': {'format': 'json'}, 'where': {'measure': 'operations', 'format': 'json'},
            'compare': {'measure': 'diff', 'format': 'json'}, 'timeline': {'measure': 'over-time', 'by': 'waiting-rank', 'bins': PICTURE['bins'], 'format': 'json'}}


class Refused(Exception):
    """A question that has no answer, for the assistant to read."""


class Wrong(Exception):
    """A request that breaks the protocol."""
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Server:
    def __init__(self, options):
        self.root, self.options, self.version = os.path.realpath(options.folder), options, ''
        beside = os.path.join(os.path.dirname(os.path.realpath(__file__)), 'hiera-transform')
        self.program = beside if os.path.exists(beside) else 'hiera-transform'
        self.is_starting = self.is_ended = False
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith('HIERA_') and name != 'COLUMNS'}

    def end(self, *_):
        """On SIGTERM: a child is ended first, also one that is just being started."""
        self.is_ended = True
        if not self.is_starting:
            sys.exit(1)

    # --- only what is in the folder ---

    def inside(self, path, name):
        real = os.path.realpath(path)
        if os.path.commonpath([real, self.root]) != self.root:
            raise Refused(f'{name} is outside of the folder of this server')
        return real

    def find(self, name):
        """The path of a run, relative to the root, if it and all that belongs to it are inside."""
        if '\0' in name:
            raise Refused('a name with a zero byte')
        real = self.inside(os.path.join(self.root, name), name)
        if not os.path.exists(real):
            raise Refused(f'there is no {name}; there are {", ".join(sorted(os.listdir(self.root))[:30])}')
        folder = real if os.path.isdir(real) else os.path.dirname(real)
        for place in [folder, *(entry.path for entry in os.scandir(folder) if entry.is_dir())]:  # an OTF2 archive has a folder of its own
            for entry in os.scandir(self.inside(place, place)):
                self.inside(entry.path, os.path.join(name, entry.name))
        for list_of_traces in {os.path.join(folder, 'hieraCollector.xml'), real}:
            if list_of_traces.endswith('.xml') and os.path.isfile(list_of_traces):
                self.check_names(folder, list_of_traces)
        return os.path.join('.', os.path.relpath(real, self.root))

    def check_names(self, folder, path):
        """The traces that a hieraCollector.xml names are inside, too."""
        with open(path, encoding='utf-8', errors='replace') as file:
            text = file.read(NAMES_MAX)
        if '<hieraCollector' not in text:
            return
        if '<!ENTITY' in text or '<![CDATA[' in text:
            raise Refused(f'{os.path.basename(path)} has entities, or sections that hide names')
        for name in re.findall(r'<collect_file[^>]*>([^<]*)', text):
            self.inside(os.path.join(folder, html.unescape(name).strip()), name)

    # --- hiera-transform ---

    def run(self, words, most):
        """What hiera-transform says, in at most `most` bytes and the time that there is; a child that takes longer is ended."""
        self.is_starting = True
        try:
            child = subprocess.Popen([self.program, *words], cwd=self.root, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, start_new_session=True)
        except BaseException:
            self.is_starting = False
            raise
        with child:
            try:
                self.is_starting = False
                if self.is_ended:
                    sys.exit(1)
                out, errors = self.listen(child, most)
            except BaseException:
                os.killpg(child.pid, signal.SIGKILL)
                raise
            if child.wait() not in (0, 1) and not out:
                raise Refused(errors.strip() or f'hiera-transform ended with {child.returncode}')
        return out

    def listen(self, child, most):
        end, parts = time.monotonic() + self.options.seconds, {child.stdout: b'', child.stderr: b''}
        with selectors.DefaultSelector() as selector:
            for stream in parts:
                selector.register(stream, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(max(0, end - time.monotonic()))
                if not ready:
                    raise Refused(f'no answer in {self.options.seconds:g} s, and hiera-transform was ended; ask for less (ranks, from, to), or allow more --seconds')
                for key, _ in ready:
                    piece = os.read(key.fd, 1 << 16)
                    parts[key.fileobj] += piece
                    if not piece:
                        selector.unregister(key.fileobj)
                    if len(parts[child.stdout]) > most:
                        raise Refused(f'the answer has more than {most} bytes; ask for less (top, columns, ranks, where), or for format brief')
                    parts[child.stderr] = parts[child.stderr][:1 << 16]
        return tuple(parts[stream].decode('utf-8', 'replace') for stream in (child.stdout, child.stderr))

    def ask(self, values, most=None):
        if values.get('measure') == 'list':
            return self.run(['--measure', 'list'], self.options.bytes)
        runs = [self.find(values[name]) for name in ('run', 'before', 'after') if name in values]
        return self.run([*runs, '--quiet', *(f'--{name}={value}' for name, value in values.items() if name not in ('run', 'before', 'after'))], most or self.options.bytes)

    # --- tools ---

    def timeline(self, values):
        ranks = values.setdefault('ranks', f'0-{PICTURE["ranks"] - 1}')
        answer = json.loads(self.ask(values, PICTURE['bytes']))
        lines = {}
        for row in answer['over-time']:
            lines.setdefault(row['processor'], []).append(row)
        if not lines:
            raise Refused('nothing to draw: no rank has any time here')
        begin, end = (side([row[name] for rows in lines.values() for row in rows]) for side, name in ((min, 'from'), (max, 'to')))
        said = (f'{len(lines)} ranks ({", ".join(map(str, list(lines)[:8]))}{" …" if len(lines) > 8 else ""}) of --ranks {ranks}, from the top; {begin:g} s to {end:g} s, left to right, '
                f'in {PICTURE["bins"]} parts. Green computes, red waits for others, blue communicates (MPI and files, without waiting); mixed colours are shares. '
                f'{"Partial: something is missing (ask for findings by measure)." if answer["partial"] else ""}')
        return [{'type': 'image', 'mimeType': 'image/png', 'data': base64.b64encode(picture(list(lines.values()))).decode()}, {'type': 'text', 'text': said.strip()}]

    def call(self, params):
        name, values = params.get('name'), params.get('arguments', {})
        if name not in TOOLS or not isinstance(values, dict):
            raise Wrong(-32602, f'there is no tool {name!r}; there are {", ".join(TOOLS)}')
        check_values(name, values)
        try:
            values = {**DEFAULTS[name], **values}
            content = self.timeline(values) if name == 'timeline' else [{'type': 'text', 'text': self.ask(values)}]
            return {'content': content, 'isError': False}
        except (Refused, OSError, ValueError) as error:
            return {'content': [{'type': 'text', 'text': str(error)}], 'isError': True}

    # --- the protocol ---

    def initialize(self, params):
        asked = params.get('protocolVersion')
        return {'protocolVersion': asked if asked in VERSIONS else VERSIONS[0], 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'hiera-mcp', 'version': self.version},
                'instructions': 'Traces of MPI programs. Ask summary first; each of its lines names the measure with its evidence. '
                                'An answer that says partial does not know all; null is not known, and `unknown` says why.'}

    def list_tools(self, _):
        return {'tools': [{'name': name, 'description': text, 'annotations': {'readOnlyHint': True, 'openWorldHint': False},
                           'inputSchema': {'type': 'object', 'properties': takes, 'required': required, 'additionalProperties': False}}
                          for name, (text, required, takes) in TOOLS.items()]}

    def answer(self, request):
        """The result of a request. A notification, which has no id, gets none."""
        if not isinstance(request, dict) or request.get('jsonrpc') != '2.0' or not isinstance(request.get('method'), str):
            raise Wrong(-32600, 'this is no request of JSON-RPC 2.0')
        if 'id' not in request:
            return None
        methods = {'initialize': self.initialize, 'ping': lambda _: {}, 'tools/list': self.list_tools, 'tools/call': self.call}
        params = request.get('params', {})
        if request['method'] not in methods:
            raise Wrong(-32601, f'there is no method {request["method"]}')
        if not isinstance(params, dict):
            raise Wrong(-32602, 'params are no object')
        return methods[request['method']](params)

    def serve(self, stream):
        while line := stream.readline(LINE_MAX + 1):
            request = None
            try:
                if len(line) > LINE_MAX:
                    raise Wrong(-32600, f'a request has more than {LINE_MAX} bytes')
                request = json.loads(line)
                result = self.answer(request)
                reply = None if result is None else {'result': result}
            except (ValueError, RecursionError):
                reply = {'error': {'code': -32700, 'message': 'this is not JSON'}}
            except Wrong as error:
                reply = {'error': {'code': error.code, 'message': str(error)}}
            while not line.endswith(b'\n') and line:  # the rest of a line that is too long
                line = stream.readline(LINE_MAX)
            if reply:
                known = request.get('id') if isinstance(request, dict) else None
                print(json.dumps({'jsonrpc': '2.0', 'id': known, **reply}), flush=True)


def check_values(name, values):
    _, required, takes = TOOLS[name]
    for missing in set(required) - set(values):
        raise Wrong(-32602, f'{name} needs {missing}')
    for key, value in values.items():
        if key not in takes:
            raise Wrong(-32602, f'{name} takes no {key}; it takes {", ".join(takes)}')
        choices = takes[key].get('enum')
        if (choices and value not in choices) or (not choices and (isinstance(value, bool) or not isinstance(value, TYPES[takes[key]['type']]))):
            raise Wrong(-32602, f'{key} is no {takes[key].get("type") or " or ".join(choices)}')


def picture(lines):
    """A PNG with a band for each rank: the colours of what it does in each part of the time, mixed by their shares."""
    width, height = max(1, 1000 // max(map(len, lines))), max(3, min(24, 600 // len(lines)))
    pixels = b''
    for rows in lines:
        band = b''
        for row in rows:
            waiting = row['waiting_share']
            shares = {'useful': row['useful_share'], 'waiting': waiting, 'communication': max(0, row['mpi_share'] + row['io_share'] - waiting)}
            blank = max(0, 100 - sum(shares.values()))
            band += bytes(min(255, round((240 * blank + sum(COLOURS[kind][i] * share for kind, share in shares.items())) / 100)) for i in range(3)) * width
        pixels += (b'\0' + band) * (height - 1) + b'\0' + b'\xff' * len(band)

    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    head = struct.pack('>IIBBBBB', width * len(lines[0]), height * len(lines), 8, 2, 0, 0, 0)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + chunk(b'IDAT', zlib.compress(pixels)) + chunk(b'IEND', b'')


def main():
    parser = argparse.ArgumentParser(prog='hiera-mcp', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', metavar='FOLDER', help='folder below which all runs are')
    parser.add_argument('--seconds', type=float, default=60, help='most time for an answer (60)')
    parser.add_argument('--bytes', type=int, default=200000, help='most bytes of an answer (200000)')
    parser.add_argument('--version', action='store_true', help='print the version')
    options = parser.parse_args(['.', '--version'] if '--version' in sys.argv[1:] else None)
    server = Server(options)
    try:
        server.version = server.run(['--version'], options.bytes).split()[-1]
    except (OSError, Refused) as error:
        sys.exit(f'hiera-mcp: hiera-transform does not run: {error}')
    if options.version:
        print(f'hiera-mcp {server.version}')
        return
    if not os.path.isdir(options.folder):
        sys.exit(f'hiera-mcp: {options.folder} is no folder')
    signal.signal(signal.SIGTERM, server.end)
    try:
        server.serve(sys.stdin.buffer)
    except (KeyboardInterrupt, BrokenPipeError):
        pass


if __name__ == '__main__':
    main()
