! The three Fortran bindings: each call once, what it does checked; cases_fortran.py knows what the trace must say.
#ifdef BINDING_mpi_f08
#define H(x) type(x)
#define ST type(MPI_Status)
#else
#define H(x) integer
#define ST integer, dimension(MPI_STATUS_SIZE)
#endif
program t
#ifdef BINDING_mpi_f08
  use mpi_f08
  implicit none
#elif defined(BINDING_mpi)
  use mpi
  implicit none
#else
  implicit none
  include 'mpif.h'
#endif
  integer :: ierr, rank, size, a(4), b(4), idx, prov, oc, ind(2), i, rl
  logical :: flag, per(2)
  H(MPI_Comm) :: c, cart
  H(MPI_Request) :: r(2)
  H(MPI_Datatype) :: dt
  H(MPI_Info) :: info
  H(MPI_File) :: fh
  ST :: st
  character(len=MPI_MAX_OBJECT_NAME) :: nm
  character(len=40) :: val
  integer :: dims(2)
  call mpi_init_thread(MPI_THREAD_SINGLE, prov, ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, size, ierr)
  a = rank; b = -1
  call mpi_irecv(b, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, r(1), ierr)
  call mpi_isend(a, 4, MPI_INTEGER, mod(rank+1,size), 7, MPI_COMM_WORLD, r(2), ierr)
  call mpi_waitany(2, r, idx, MPI_STATUS_IGNORE, ierr)
  call mpi_waitall(2, r, MPI_STATUSES_IGNORE, ierr)
  if (b(1) /= mod(rank-1+size,size)) stop 3
  call mpi_sendrecv(a, 4, MPI_INTEGER, mod(rank+1,size), 1, b, 4, MPI_INTEGER, mod(rank-1+size,size), 1, MPI_COMM_WORLD, st, ierr)
  call mpi_allreduce(MPI_IN_PLACE, a, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (a(1) /= size*(size-1)/2) stop 4
  call mpi_comm_dup(MPI_COMM_WORLD, c, ierr)
  call mpi_comm_set_name(c, 'my comm  ', ierr)
  call mpi_comm_get_name(c, nm, rl, ierr)
  if (nm /= 'my comm') stop 5
  dims = (/size,1/); per = (/.true.,.false./)
  call mpi_cart_create(c, 2, dims, per, .true., cart, ierr)
  call mpi_barrier(cart, ierr)
  call mpi_type_contiguous(3, MPI_REAL, dt, ierr)
  call mpi_type_commit(dt, ierr)
  call mpi_bcast(b, 1, dt, 0, c, ierr)
  call mpi_type_free(dt, ierr)
  call mpi_info_create(info, ierr)
  call mpi_info_set(info, ' key ', 'v w ', ierr)
  call mpi_info_get(info, 'key', 40, val, flag, ierr)
  if (.not. flag .or. val /= 'v w') stop 6
  call mpi_info_free(info, ierr)
  call mpi_irecv(a, 4, MPI_INTEGER, MPI_ANY_SOURCE, 9, c, r(1), ierr)
  call mpi_cancel(r(1), ierr)
  call mpi_waitsome(1, r, oc, ind, MPI_STATUSES_IGNORE, ierr)
  if (oc /= 1) stop 7
  call mpi_file_open(c, 'fortran-file', MPI_MODE_CREATE+MPI_MODE_RDWR, MPI_INFO_NULL, fh, ierr)
  call mpi_file_write_at(fh, int(16*rank, MPI_OFFSET_KIND), a, 4, MPI_INTEGER, st, ierr)
  call mpi_file_close(fh, ierr)
  call mpi_comm_free(cart, ierr)
  call mpi_comm_free(c, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print *, 'good', size
end program
