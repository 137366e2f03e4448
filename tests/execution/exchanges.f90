! As exchanges.c, in Fortran: each rank repeats a loop as often as the others told it, and prints how often. With -DF08
! by the module mpi_f08.
program exchanges
#ifdef F08
#define SUMS_OF_ALL sums
  use mpi_f08
  implicit none
  type(MPI_Status) :: status
#else
#define SUMS_OF_ALL sums(1)
  implicit none
  include 'mpif.h'
  integer :: status(MPI_STATUS_SIZE)
#endif
  integer :: rank, ranks, ierror, n, total, got, left, right, i, times, sums(3), own
  double precision :: real_number, reals
  integer, volatile :: sink
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  n = 0
  if (rank == 0) n = 1234
  call MPI_Bcast(n, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  real_number = 0.5d0 * rank
  call MPI_Scan(real_number, reals, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, right, 1, got, 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, status, ierror)
  sums = (/ rank, 1, 2 * rank /)
  call MPI_Allreduce(MPI_IN_PLACE, SUMS_OF_ALL, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Allreduce(rank, own, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierror)
  times = 5 * own + n + 10 * total + int(2 * reals) + 100 * got + 7 * sums(1) + 1000 * sums(2) + 3 * sums(3)
  sink = 0
  do i = 1, times
    sink = sink + i
  end do
  print *, rank, times
  call MPI_Finalize(ierror)
end program
