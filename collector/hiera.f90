! Hiera: mark the regions of a Fortran program so that they appear in its trace, above the MPI calls that they make.
!
!     use hiera
!     call hiera_begin('app', 'time step', 'step=12')   ! what follows, up to hiera_end, becomes its child
!     call hiera_end()
!
! Link with -lhiera. For a binary that runs with and without the library, do not link it, but compile hiera_fortran.c, which
! is installed beside hiera.h, with your program: under hiera-run regions are recorded, else the calls do nothing. The module is
! interfaces alone, there is no object of it. A .mod file is of one compiler: hiera.mod is installed for that of MPI's mpifort;
! with another one compile this file with your program. All that hiera.h promises holds here: any thread, before MPI_Init,
! after MPI_Finalize, without MPI; nothing fails visibly, nothing is kept of the arguments. hiera_disabled.f90 is a module of
! the same name whose calls do nothing, for a program that is built without Hiera.
module hiera
  implicit none
  private
  public :: hiera_begin, hiera_end, hiera_pause, hiera_resume

  ! Open a region: what this thread does until the matching hiera_end becomes its child.
  !
  ! level      the layer that the region belongs to, e.g. 'app'. With the level 'oops' and an operation 'Class::method'
  !            the trace gets an element hieraOOPS, else hieraRegion
  ! operation  what the region does, e.g. 'time step'
  ! arguments  text 'name=value name=value'; may be absent
  !
  ! Trailing blanks do not count; up to 1023 characters of each are kept.
  interface hiera_begin
    subroutine hiera_fortran_begin(level, operation, arguments)
      character(len=*), intent(in) :: level, operation
      character(len=*), intent(in), optional :: arguments
    end subroutine
  end interface

  ! Close a region: without an operation the one that this thread opened last, with one the last of that name, and with it
  ! those in it that have no end. What does not fit is noted in the trace; where there is none to close, nothing is closed.
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
