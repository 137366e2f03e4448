! ingredient: a tool for Fortran behind Hiera that reaches pmpi_ by a library that it loads itself: nothing in the tool says so
! source: found from outside, siblings of R12 and R14
! build: printf 'extern void (*next)(int *, int *);\nextern void pmpi_barrier_(int *, int *);\n__attribute__((constructor)) static void begin(void) { next = pmpi_barrier_; }\n' > helper.c
! build: printf '#include <dlfcn.h>\nvoid (*next)(int *, int *);\n__attribute__((constructor)) static void begin(void) { dlopen(HELPER, RTLD_NOW); }\nvoid mpi_barrier_(int *comm, int *error) { next(comm, error); }\n' > tool.c
! build: gcc -DHELPER=\"$PWD/libhelper.so\" -shared -fPIC tool.c -o libtool.so; mpifort -g %f -o app
! build: gcc -c -fPIC helper.c; mpifort -shared helper.o -o libhelper.so -L. -ltool -Wl,-rpath,$PWD
! run: LD_PRELOAD=$PWD/libtool.so hiera-run mpirun -n 2 ./app
! mpi: openmpi
! expect: findings
! expect: says hiera: libtool.so has mpi_barrier, and nothing says whether it hands calls on to MPI: they are left to it, and the traces lack them
! expect: calls allreduce 2
! expect: says rank 0: 1 operation, 
! expect: answer hiera-transform . --measure counts 2>&1 => calls of mpi_barrier go to libtool.so
program app
  include 'mpif.h'
  integer :: error, x, total
  call mpi_init(error)
  call mpi_barrier(MPI_COMM_WORLD, error)
  x = 1
  call mpi_allreduce(x, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call mpi_finalize(error)
end program
