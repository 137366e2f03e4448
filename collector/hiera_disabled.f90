! The module hiera for a program that is built without Hiera, as -DHIERA_DISABLE does for C: the same calls, which do nothing.
! Compile this file instead of hiera.f90; no library is needed.
module hiera
  implicit none
  private
  public :: hiera_begin, hiera_end, hiera_pause, hiera_resume

  interface hiera_end
    module procedure end_last, end_named
  end interface

contains

  subroutine hiera_begin(level, operation, arguments)
    character(len=*), intent(in) :: level, operation
    character(len=*), intent(in), optional :: arguments
  end subroutine

  subroutine end_last()
  end subroutine

  subroutine end_named(operation)
    character(len=*), intent(in) :: operation
  end subroutine

  subroutine hiera_pause()
  end subroutine

  subroutine hiera_resume()
  end subroutine
end module
