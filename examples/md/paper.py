"""The tables of the paper as numbers: 1 to 3 of the plain MPI version and 6 to 8 of the OOPS version do not depend on the machine; 4, 5 and 9 are times.

Line numbers, and the files of the OOPS version, are of the authors' sources; nothing is compared with them."""

# Process, depth, count.
TABLE_1 = [(0, 0, 2396), (1, 0, 2144), (2, 0, 2144), (3, 0, 2144)]

# Process 0: level, operation, file, line, count.
TABLE_2 = [
    ('mpi', 'allgather', 'md.c', 107, 1), ('mpi', 'allgather', 'md.c', 108, 1),
    ('mpi', 'allgatherv', 'md.c', 137, 1), ('mpi', 'allgatherv', 'md.c', 139, 1),
    ('mpi', 'allgatherv', 'md.c', 150, 200), ('mpi', 'allgatherv', 'md.c', 156, 200),
    *(('mpi', 'broadcast', 'md.c', line, 1) for line in range(37, 46)),
    ('mpi', 'comm_split', 'md.c', 101, 1), ('mpi', 'comm_split', 'md.c', 102, 1),
    ('mpi', 'receive', 'auxfmd.c', 51, 9), ('mpi', 'receive', 'auxfmd.c', 90, 180), ('mpi', 'receive', 'auxfmd.c', 92, 180),
    ('mpi', 'reduce', 'md.c', 171, 400), ('mpi', 'reduce', 'md.c', 175, 400),
    *(('mpi', 'reduce', 'md.c', line, 200) for line in range(183, 187)),
    ('mpi', 'scan', 'md.c', 95, 1), ('mpi', 'send', 'auxfmd.c', 58, 9),
    ('mpi', 'type_commit', 'md.c', 93, 1), ('mpi', 'type_contiguous', 'md.c', 92, 1)]

# Operation, count.
TABLE_3 = [('allgather', 8), ('allgatherv', 1608), ('broadcast', 36), ('comm_split', 8), ('receive', 378),
           ('reduce', 6400), ('scan', 4), ('send', 378), ('type_commit', 4), ('type_contiguous', 4)]

# Of each process: seconds of communication, and of the whole run, both traced.
TABLE_4 = [(0.4957, 1.7843), (0.9150, 1.7534), (0.9911, 1.7535), (0.9723, 1.7535)]

# Of each process: seconds without tracing and with it.
TABLE_5 = [(1.6769, 1.7843), (1.6556, 1.7534), (1.6556, 1.7535), (1.6556, 1.7535)]

# As table 1.
TABLE_6 = [(0, 0, 101756), (0, 1, 165476), (0, 2, 100811),
           *((process, depth, count) for process in (1, 2, 3) for depth, count in enumerate((101756, 100948, 100811)))]

# Process 2: as table 2. What is printed is not all: it has 2 of the 9 broadcasts of the program's own, for instance.
TABLE_7 = [
    ('mpi', 'allgather', 'Topology.cc', 2655, 2), ('mpi', 'allgatherv', 'Topology.cc', 2622, 2),
    ('mpi', 'allreduce', 'Topology.cc', 3672, 200), ('mpi', 'allreduce', 'Topology.cc', 3837, 600),
    ('mpi', 'broadcast', 'Topology.cc', 2335, 5), ('mpi', 'broadcast', 'Topology.cc', 2423, 3),
    ('mpi', 'broadcast', 'Topology.cc', 2434, 1), ('mpi', 'reduce', 'Topology.cc', 3892, 100000),
    ('mpi', 'scan', 'Topology.cc', 4202, 1),
    ('oops', 'broadcast', 'molecularDynamicsOOPS.cc', 45, 1), ('oops', 'broadcast', 'molecularDynamicsOOPS.cc', 46, 1),
    ('oops', 'broadcast', 'Topology.cc', 2423, 3), ('oops', 'broadcast', 'Topology.cc', 2434, 1),
    ('oops', 'distributionBlocked', 'Application', 0, 1),
    ('oops', 'gather', 'Topology.cc', 2622, 2), ('oops', 'gather', 'Topology.cc', 2655, 2),
    ('oops', 'gather', 'Topology.h', 3019, 60), ('oops', 'load', 'Vector.h', 1606, 4),
    ('oops', 'localSize', 'Vector.h', 1285, 4), ('oops', 'localSize', 'Vector.h', 1531, 4),
    ('oops', 'scan', 'molecularDynamicsOOPS.cc', 105, 1), ('oops', 'scan', 'Topology.cc', 4202, 1),
    ('oops', 'scatter', 'Vector.h', 1531, 4), ('oops', 'scatter', 'Topology.h', 3045, 4),
    ('oops', 'split', 'Topology.cc', 2221, 2), ('oops', 'split', 'TopologyGrid.cc', 4273, 1),
    ('oops', 'store', 'Vector.h', 1613, 60),
    ('oops', 'sum', 'molecularDynamicsOOPS.cc', 181, 50000), ('oops', 'sum', 'molecularDynamicsOOPS.cc', 188, 50000)]

# Level, operation, count. The paper does not print the level: `both` counts a name that both levels have.
TABLE_8 = [('mpi', 'allgather', 8), ('mpi', 'allgatherv', 8), ('mpi', 'allreduce', 3200), ('mpi', 'broadcast', 36),
           ('mpi', 'reduce', 400000), ('both', 'scan', 12), ('oops', 'broadcast', 72), ('oops', 'distributionBlocked', 4),
           ('oops', 'gather', 3712), ('oops', 'load', 16), ('oops', 'localSize', 32800), ('oops', 'localToGlobal', 32016),
           ('oops', 'scatter', 32), ('oops', 'split', 16), ('oops', 'store', 240), ('oops', 'sum', 806400),
           ('oops', 'topologyGrid', 4), ('oops', 'topologyPipe', 12)]

# Seconds without tracing and with it.
TABLE_9 = (237.46, 239.29)


def spelled(level, operation):
    """A name as the paper prints it: classes, hence constructors, with a small letter; broadcast at both levels."""
    if level != 'oops':
        return operation
    return 'broadcast' if operation == 'bcast' else operation[0].lower() + operation[1:]
