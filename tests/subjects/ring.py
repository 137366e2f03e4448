"""Objects, arrays, collectives and windows with mpi4py, which initializes MPI when it is imported and finalizes it at exit."""

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()

word = world.bcast({'seed': 7, 'words': ['a', 'b']} if rank == 0 else None, root=0)
left, right = (rank - 1) % size, (rank + 1) % size
token = world.sendrecv((rank, word['seed']), dest=right, source=left)
assert token == (left, 7)

request = world.isend(list(range(rank + 1)), dest=right, tag=3)
status = MPI.Status()
assert world.recv(source=MPI.ANY_SOURCE, tag=3, status=status) == list(range(status.Get_source() + 1))
request.wait()

buffer = bytearray(8)
requests = [world.Irecv([buffer, MPI.BYTE], source=left), world.Isend([bytes([rank] * 8), MPI.BYTE], dest=right)]
MPI.Request.Waitall(requests)
assert buffer == bytes([left] * 8)

half = world.Split(rank % 2, rank)
assert half.allreduce(1) == half.Get_size()
everybody = world.gather(rank ** 2, root=0)
share = world.scatter([2 * n for n in everybody] if rank == 0 else None, root=0)
assert share == 2 * rank ** 2

memory = MPI.Win.Allocate(8, comm=world)
memory.Fence()
memory.Put([bytes([rank + 1] * 8), MPI.BYTE], right)
memory.Fence()
assert bytes(memory.tomemory()) == bytes([left + 1] * 8)
memory.Free()
half.Free()

total = world.reduce(share, op=MPI.SUM, root=0)
if rank == 0:
    print(f'{size} ranks, squares {everybody}, sum of the shares {total}')
