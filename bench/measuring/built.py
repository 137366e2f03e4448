"""The build to be measured: its folder, its MPIs, and the settings that its collector knows."""
import glob
import os
import platform
import shutil
import subprocess

from measuring.processes import environment


def build(folder):
    """Build the programs; returns hiera-transform, or None if this build has none."""
    subprocess.run(['ninja', '-C', folder, 'bench-programs'], check=True, stdout=subprocess.DEVNULL)
    targets = subprocess.run(['ninja', '-C', folder, '-t', 'targets', 'all'], capture_output=True, text=True,
                             check=True).stdout
    names = [line.split(':')[0] for line in targets.splitlines() if line.split(':')[0].endswith('/hiera-transform')]
    if not names:
        return None
    subprocess.run(['ninja', '-C', folder, names[0]], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(folder, names[0])


def find_mpis(folder, wanted):
    """The MPIs for which this folder has programs, Open MPI first."""
    programs, found = os.path.join(folder, 'bench'), []
    for path in sorted(glob.glob(os.path.join(programs, 'workload-*')), key=lambda p: not p.endswith('openmpi')):
        name = os.path.basename(path)[len('workload-'):]
        run = shutil.which(f'mpirun.{name}') or shutil.which(f'mpiexec.{name}') or shutil.which('mpirun')
        if os.path.isdir(path) or not run or (wanted and name not in wanted):
            continue
        library = os.path.join(folder, 'collector', f'libhiera-{name}.so')
        found.append({'name': name, 'mpirun': run, 'workload': path, 'library': library,
                      'bare': os.path.join(programs, 'bare-' + name),
                      'lttng_shim': os.path.join(programs, f'lttng_shim-{name}.so'),
                      'stopwatch': os.path.join(programs, 'stopwatch'), 'hiera_run': os.path.join(folder, 'collector', 'hiera-run'), 'settings': settings_of(library)})
    return found


def settings_of(library):
    """The text in which the collector lists its settings."""
    done = subprocess.run(['true'], env=environment(HIERA_HELP='now', LD_PRELOAD=library), capture_output=True,
                          text=True, check=False)
    return done.stdout + done.stderr


def machine():
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        models = [line.split(':')[1].strip() for line in file if line.startswith('model name')]
    return f'{os.cpu_count()} × {(models or [platform.machine()])[0]}, Linux {platform.release()}'
