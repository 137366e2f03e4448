"""SimGrid's replay of a run that hiera-predict has exported (ti:), on the same network as hiera-predict's.

For bench/predict_accuracy, and for the tests of the export. Each pair of hosts has a link of its own in each direction. SMPI gets latency, bandwidth, and their factors by size, the overheads and the eager limit of a
file of hiera-predict calibrate, also for messages of a rank to itself, and chooses the algorithms of collectives as the MPI library does. It has no word for duplex=, acknowledgement=,
request-overhead= and own-copy=."""
import os
import re
import subprocess

from measuring.processes import Failed

PLATFORM = '''<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="all" routing="Full">{hosts}{links}{routes}</zone></platform>
'''
UNITS = {'ns': 1e-9, 'us': 1e-6, 'ms': 1e-3, 's': 1, 'GB/s': 1e9, 'MB/s': 1e6, 'kB/s': 1e3, 'B/s': 1, 'B': 1, 'KiB': 1024, 'MiB': 1048576, 'kB': 1000, 'MB': 1e6, '': 1}
UNLIMITED = 1e12  # bytes a second; SimGrid loses what is below a hundred-thousandth of a link


def number(text):
    """In seconds, bytes, or bytes a second."""
    if text == 'unlimited':
        return UNLIMITED
    found = re.fullmatch(r'([\d.e+-]+?)(\D*)', text)
    return float(found[1]) * UNITS[found[2]]


def read_network(words):
    """{word: number} of lines of a network file and further words of --network."""
    return {name: number(value) for name, value in (word.split('=') for word in words if '=' in word and not word.startswith('#')) if re.match(r'[\d.]+|unlimited', value)}


def factors(network, word, plain):
    """Of all sizes: [(size, value)] of word and word@size."""
    sized = sorted((number(name.partition('@')[2]), value) for name, value in network.items() if name.startswith(word + '@'))
    return [(0, plain)] + sized


def pairs(values):
    return ';'.join(f'{size:.0f}:{value:.9g}' for size, value in values)


def configuration(network, mpi):
    """SMPI's, for a network of read_network()."""
    latency, bandwidth = plain(network)
    cost = {'os': (network.get('send-overhead', network.get('overhead', 0)), network.get('send-copy', UNLIMITED)),
            'or': (network.get('receive-overhead', network.get('overhead', 0)), network.get('receive-copy', UNLIMITED))}
    eager = min(network.get('eager', UNLIMITED), 2**31 - 1)
    return ['network/model:SMPI', 'network/TCP-gamma:0', 'smpi/lat-factor:' + pairs((size, (latency + extra) / latency) for size, extra in factors(network, 'extra', 0)),
            'smpi/bw-factor:' + pairs((size, value / bandwidth) for size, value in factors(network, 'bandwidth', bandwidth)),
            *(f'smpi/{word}:0:{overhead:.9g}:{1 / copy:.9g}' for word, (overhead, copy) in cost.items()),
            f'network/loopback-lat:{latency:.12g}', f'network/loopback-bw:{bandwidth:.0f}', f'smpi/async-small-thresh:{eager:.0f}', f'smpi/send-is-detached-thresh:{eager:.0f}', 'smpi/coll-selector:' + {'openmpi': 'ompi', 'mpich': 'mpich'}[mpi]]


def plain(network):
    """Latency and bandwidth of short messages. SimGrid's links need both."""
    return max(network.get('latency', 0), 1e-9), network.get('bandwidth', UNLIMITED)


def share(size, by):
    """Of the bytes or nanoseconds of an action, what one of so many ranks has."""
    return str(round(int(size) / by))


def of_rank(words, rank, ranks, strong):
    """The words of an action of rank 0, as one of a rank of so many: shared out as hiera-predict scale does from a run on one."""
    name, rest = words[1], words[2:]
    by = ranks if strong else 1
    if name == 'compute':
        rest = [share(rest[0], by)]
    elif name in ('gather', 'scatter', 'allgather'):
        rest[:2] = [share(size, by) for size in rest[:2]]
    elif name == 'alltoall':
        rest = [share(size, by * by) for size in rest]
    elif name == 'reducescatter':
        rest = [share(rest[0], by)] * ranks + rest[-1:]
    elif name in ('send', 'isend', 'recv', 'irecv'):
        rest[0] = str(rank)
    elif name == 'wait':
        rest[:2] = [str(rank)] * 2
    return [str(rank), name, *rest]


def exchanges(rank, ranks, neighbours, times, size):
    """Lines for what --exchange tells: messages with the ranks behind and before."""
    for i in range(times):
        others = [(rank + step) % ranks for step in range(1, neighbours + 1)], [(rank - step) % ranks for step in range(1, neighbours + 1)]
        for to in others[0]:
            yield f'{rank} isend {to} {i} {size}'
        for of in others[1]:
            yield f'{rank} irecv {of} {i} {size}'
        for to in others[0]:
            yield f'{rank} wait {rank} {to} {i}'
        for of in others[1]:
            yield f'{rank} wait {of} {rank} {i}'


def spread_out(folder, ranks, strong=True, messages=None):
    """The actions of a run on one rank become those of so many, each of which does all of them, with its share if strong. What is computed before the first call is left out; messages are of --exchange, as
    (neighbours, times, bytes), behind all else."""
    with open(os.path.join(folder, 'rank0.txt'), encoding='utf-8') as file:
        actions = [line.split() for line in file]
    first = next((i for i, words in enumerate(actions) if words[1] not in ('init', 'compute')), 0)
    kept = [words for i, words in enumerate(actions[:-1]) if i > first or words[1] != 'compute']
    for rank in range(ranks):
        lines = [' '.join(of_rank(list(words), rank, ranks, strong)) for words in kept]
        if messages:
            lines += exchanges(rank, ranks, *messages)
        with open(os.path.join(folder, f'rank{rank}.txt'), 'w', encoding='utf-8') as file:
            file.write('\n'.join([*lines, f'{rank} finalize', '']))
    with open(os.path.join(folder, 'ranks.txt'), 'w', encoding='utf-8') as file:
        file.write(''.join(f'rank{rank}.txt\n' for rank in range(ranks)))


def replay(folder, latency, bandwidth, words, timeout=600):
    """Seconds that SimGrid predicts for the actions in a folder. Hosts compute a flop in a nanosecond; latency [s], bandwidth [B/s] of each link, and words
    of SimGrid's configuration."""
    with open(os.path.join(folder, 'ranks.txt'), encoding='utf-8') as ranks:
        n = len(ranks.read().splitlines())
    ways = [(a, b) for a in range(n) for b in range(n) if a != b]
    with open(os.path.join(folder, 'platform.xml'), 'w', encoding='utf-8') as file:
        file.write(PLATFORM.format(
            hosts=''.join(f'<host id="h{i}" speed="1Gf"/>' for i in range(n)),
            links=''.join(f'<link id="l{a}-{b}" bandwidth="{bandwidth:.0f}Bps" latency="{latency:.12g}s" sharing_policy="FATPIPE"/>' for a, b in ways),
            routes=''.join(f'<route src="h{a}" dst="h{b}" symmetrical="NO"><link_ctn id="l{a}-{b}"/></route>' for a, b in ways)))
    with open(os.path.join(folder, 'hosts'), 'w', encoding='utf-8') as file:
        file.write(''.join(f'h{i}\n' for i in range(n)))
    command = ['smpirun', '-np', str(n), '-platform', 'platform.xml', '-hostfile', 'hosts', '-replay', 'ranks.txt', *(f'--cfg={word}' for word in words)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=timeout)
    found = re.findall(r'Simulation time ([\d.]+)', done.stderr + done.stdout)
    if done.returncode != 0 or len(found) != 1:
        raise Failed(f'smpirun failed:\n{(done.stdout + done.stderr)[-600:]}')
    return float(found[0])
