! Rooted collectives on an intercommunicator from Fortran, on three ranks. The role of a rank decides which arguments are
! significant. The groups are the first two ranks and the last one.
program roles
#include "fortran_head.h"
  integer :: rank(1), root, a(16), b(16), counts(2), places(2), far
  H(MPI_Comm) :: own(1), both(1)
  H(MPI_Request) :: r(1)
  !> init
  call mpi_init(ierr)
  !> comm_rank comm=MPI_COMM_WORLD rank={rank}
  call mpi_comm_rank(MPI_COMM_WORLD, rank(1), ierr)
  root = MPI_PROC_NULL
  if (rank(1) == 0) root = MPI_ROOT
  if (rank(1) == 2) root = 0
  far = merge(2, 0, rank(1) < 2)
  a = rank(1)
  counts = 2
  places = 0
  !> comm_split comm=MPI_COMM_WORLD color={rank // 2} key=0 newcomm=*
  call mpi_comm_split(MPI_COMM_WORLD, rank(1) / 2, 0, own(1), ierr)
  !> intercomm_create local_comm=* local_leader=0 peer_comm=MPI_COMM_WORLD remote_leader={2 * (rank < 2)} tag=5 newcomm=*
  call mpi_intercomm_create(own(1), 0, MPI_COMM_WORLD, far, 5, both(1), ierr)
  !> broadcast root={['MPI_ROOT', 'MPI_PROC_NULL', 0][rank]} comm=* bytes={8 * (rank == 0)} rbytes={8 * (rank == 2)}
  !> [rank != 1] + count=2 type=MPI_INTEGER
  call mpi_bcast(a, 2, MPI_INTEGER, root, both(1), ierr)
  !> gatherv root={['MPI_ROOT', 'MPI_PROC_NULL', 0][rank]} comm=* bytes={8 * (rank == 2)} rbytes={8 * (rank == 0)}
  !> [rank == 0] + rcounts=2 displs=0 rtype=MPI_INTEGER
  !> [rank == 2] + scount=2 stype=MPI_INTEGER
  call mpi_gatherv(a, 2, MPI_INTEGER, b, counts, places, MPI_INTEGER, root, both(1), ierr)
  !> ireduce root={['MPI_ROOT', 'MPI_PROC_NULL', 0][rank]} comm=* request=1 bytes={12 * (rank == 2)} rbytes={12 * (rank == 0)}
  !> [rank != 1] + count=3 type=MPI_INTEGER op=MPI_MAX
  call mpi_ireduce(a, b, 3, MPI_INTEGER, MPI_MAX, root, both(1), r(1), ierr)
  !> wait requests=1 sources=- tags=- sizes=-
  call mpi_wait(r(1), MPI_STATUS_IGNORE, ierr)
  !> comm_free comm=*
  call mpi_comm_free(both(1), ierr)
  !> comm_free comm=*
  call mpi_comm_free(own(1), ierr)
  !> finalize
  call mpi_finalize(ierr)
end program
