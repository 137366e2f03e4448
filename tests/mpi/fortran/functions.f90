! Fortran with -finstrument-functions: the main program, a procedure of a module and an external procedure.
module solver
  use mpi
  implicit none
contains
  subroutine relax(n)
    integer, intent(in) :: n
    integer :: i, ierror
    do i = 1, n
      call mpi_barrier(MPI_COMM_SELF, ierror)
    end do
  end subroutine
end module

subroutine outside(n)
  use solver
  implicit none
  integer, intent(in) :: n
  call relax(n)
end subroutine

program main
  use mpi
  use solver
  implicit none
  integer :: ierror
  call mpi_init(ierror)
  call relax(3)
  call outside(2)
  call mpi_finalize(ierror)
end program
