"""SimGrid's replay of a run that hiera-predict has exported (ti:), on the same network as hiera-predict's.

For bench/predict_accuracy, and for the tests of the export. Each pair of hosts has a link of its own in each direction. SMPI gets latency, bandwidth, and their factors by size, the overheads and the eager limit of a
file of hiera-predict --calibrate, also for messages of a rank to itself, and chooses the algorithms of collectives as the MPI library does. It has no word for duplex=, acknowledgement=,
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
