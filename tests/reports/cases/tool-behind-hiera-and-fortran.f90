! ingredient: a PMPI tool in C that the user preloads as well, and a program in Fortran
! source: found from outside, R14
! build: mpicc -g -DTOOL -shared -fPIC $CASES/tool-behind-hiera.c -o tool.so
! build: mpifort -g %f -o app
! run: LD_PRELOAD=$PWD/tool.so hiera-run mpirun -n 2 ./app
! expect: calls send 1
! expect: calls receive 1
program ring
  include 'mpif.h'
  integer :: rank, x, error, status(MPI_STATUS_SIZE)
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  x = 7
  if (rank == 0) call mpi_send(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, error)
  if (rank == 1) call mpi_recv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, status, error)
  call mpi_finalize(error)
end program
