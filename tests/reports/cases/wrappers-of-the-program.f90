! ingredient: the program has a wrapper of its own in Fortran
! source: found from outside, R12
! build: mpifort -g %f -o app
! expect: calls barrier 10
! expect: calls broadcast 10
subroutine mpi_bcast(b, n, t, r, c, ierr)
  integer :: b(*), n, t, r, c, ierr, k
  common /cnt/ k
  k = k + 1
  call pmpi_bcast(b, n, t, r, c, ierr)
end subroutine
program p
  include 'mpif.h'
  integer :: ierr, me, x(4), k, i
  common /cnt/ k
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  do i = 1, 5
    x = me + i
    call mpi_bcast(x, 4, mpi_integer, 0, mpi_comm_world, ierr)
    call mpi_barrier(mpi_comm_world, ierr)
  end do
  print *, me, k, x(1)
  call mpi_finalize(ierr)
end program
