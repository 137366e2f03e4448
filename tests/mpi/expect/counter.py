"""The counter of the processor as the collector's clock: loops are timed with no other. On some virtual machines the kernel has another clock; tests
that time loops, or count instructions, then ask for the counter."""

import os

SETTINGS = {'HIERA_MORE': 'clock=counter'}
NONE = 'the counter of this processor changes its speed, so that loops are not timed'


def is_steady():
    """Whether the collector can read times from the counter."""
    if os.uname().machine == 'aarch64':
        return True
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        flags = next((line.split() for line in file if line.startswith('flags')), [])
    return {'constant_tsc', 'nonstop_tsc'} <= set(flags)
