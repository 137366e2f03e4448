"""Whether the collector takes the counter of the processor for a clock: collector/base/clock.c. Loops are timed only where it does."""

import platform

CLOCKSOURCE = '/sys/devices/system/clocksource/clocksource0/current_clocksource'
NO_CLOCK = 'the kernel does not trust the counter of the processor here, so that loops are not timed'


def is_clock():
    if platform.machine() == 'aarch64':
        return True
    try:
        with open(CLOCKSOURCE, encoding='utf-8') as file:
            return file.read().startswith('tsc')
    except OSError:
        return False
