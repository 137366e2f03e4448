! Hiera: mark the regions of a Fortran program. They appear in its trace, above the MPI calls inside them.
!
!     use hiera
!     call hiera_begin('app', 'time step', 'step=12')   ! operations up to hiera_end become its children
!     call hiera_end()
!
! Link with -lhiera. For a binary that runs with and without the library, compile hiera_fortran.c (installed beside hiera.h) with
! your program instead: under hiera-run the regions are recorded, else the calls do nothing.
!
! The module contains only interfaces, so it has no object file. A .mod file belongs to one compiler: hiera.mod is installed for
! the compiler of MPI's mpifort. With another one, compile this file with your program. hiera_disabled.f90 is a module of the same
! name whose calls do nothing, for a program that is built without Hiera.
!
! As in hiera.h, all calls are allowed from any thread, before MPI_Init, after MPI_Finalize and without MPI. They never fail
! visibly, and keep no pointer to their arguments.
module hiera
  implicit none
  private
  public :: hiera_begin, hiera_end, hiera_pause, hiera_resume

  ! Open a region. Operations of this thread until the matching hiera_end become its children.
  !
  ! level      the layer of the program to which the region belongs, e.g. 'app'. With the level 'oops' and an operation
  !            'Class::method' the element in the trace is hieraOOPS, else hieraRegion
  ! operation  the name of the operation, e.g. 'time step'
  ! arguments  text 'name=value name=value'; may be absent
  !
  ! Trailing blanks do not count; up to 1023 characters of each are kept.
  interface hiera_begin
    subroutine hiera_fortran_begin(level, operation, arguments)
      character(len=*), intent(in) :: level, operation
      character(len=*), intent(in), optional :: arguments
    end subroutine
  end interface

  ! Close a region. Without an operation: the region that this thread opened last. With an operation: the last one of that
  ! name, and with it the regions inside that have no end. If there is no such region, nothing is closed, and the trace says so.
  interface hiera_end
    subroutine hiera_fortran_end_last() bind(C)
    end subroutine
    subroutine hiera_fortran_end(operation)
      character(len=*), intent(in) :: operation
    end subroutine
  end interface

  interface
    ! Stop recording in all threads of this process, and go on. Pauses nest: each needs its hiera_resume.
    subroutine hiera_pause() bind(C, name='hiera_fortran_pause')
    end subroutine
    subroutine hiera_resume() bind(C, name='hiera_fortran_resume')
    end subroutine
  end interface
end module
