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
  public :: hiera_begin, hiera_end, hiera_pause, hiera_resume, hiera_assert_begin, hiera_assert_end, &
    hiera_probe, hiera_probes_start, hiera_probes_stop, hiera_counter_read, hiera_counter_sample

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

  ! Begin what an assertion is about (docs/assertions.md): all calls of this thread until the matching hiera_assert_end. Returns what
  ! names it there; 0 if there is nothing to be checked.
  !
  ! text        what is expected, such as 'MPITime / WallTime < 0.2 & $n > 0'
  ! file, line  where that stands, as __FILE__ and __LINE__ have it; may be absent: then it is the line of this call, if the program
  !             has debug information
  interface hiera_assert_begin
    function hiera_fortran_assert_begin(text, file, line) result(id)
      use, intrinsic :: iso_c_binding, only: c_int
      character(len=*), intent(in) :: text
      character(len=*), intent(in), optional :: file
      integer(c_int), intent(in), optional :: line
      integer(c_int) :: id
    end function
  end interface

  ! End it.
  !
  ! value   the variable of the assertion, an integer or a real of 4 or 8 bytes. A communicator is an integer (of mpi_f08: comm%mpi_val)
  ! values  several variables, n of them, in the order in which they appear first in the text: call hiera_assert_end(id, [a, b], 2)
  interface hiera_assert_end
    subroutine hiera_fortran_assert_end(id) bind(C)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), intent(in) :: id
    end subroutine
    subroutine hiera_fortran_assert_end_int(id, value) bind(C)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), intent(in) :: id
      integer(c_int), intent(in) :: value
    end subroutine
    subroutine hiera_fortran_assert_end_ints(id, values, n) bind(C)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), intent(in) :: id, n
      integer(c_int), intent(in) :: values(*)
    end subroutine
    subroutine hiera_fortran_assert_end_long(id, value) bind(C)
      use, intrinsic :: iso_c_binding, only: c_int, c_long_long
      integer(c_int), intent(in) :: id
      integer(c_long_long), intent(in) :: value
    end subroutine
    subroutine hiera_fortran_assert_end_longs(id, values, n) bind(C)
      use, intrinsic :: iso_c_binding, only: c_int, c_long_long
      integer(c_int), intent(in) :: id, n
      integer(c_long_long), intent(in) :: values(*)
    end subroutine
    subroutine hiera_fortran_assert_end_float(id, value) bind(C)
      use, intrinsic :: iso_c_binding, only: c_int, c_float
      integer(c_int), intent(in) :: id
      real(c_float), intent(in) :: value
    end subroutine
    subroutine hiera_fortran_assert_end_floats(id, values, n) bind(C)
      use, intrinsic :: iso_c_binding, only: c_int, c_float
      integer(c_int), intent(in) :: id, n
      real(c_float), intent(in) :: values(*)
    end subroutine
    subroutine hiera_fortran_assert_end_double(id, value) bind(C)
      use, intrinsic :: iso_c_binding, only: c_int, c_double
      integer(c_int), intent(in) :: id
      real(c_double), intent(in) :: value
    end subroutine
    subroutine hiera_fortran_assert_end_doubles(id, values, n) bind(C)
      use, intrinsic :: iso_c_binding, only: c_int, c_double
      integer(c_int), intent(in) :: id, n
      real(c_double), intent(in) :: values(*)
    end subroutine
  end interface

  ! A probe for probe scripts (docs/probes.md). While no script takes it, it costs a call.
  !
  ! name    of the probe
  ! names   of the values, with commas between them: 'n,step'
  ! values  n integers or reals of 4 or 8 bytes; or a text
  ! reals   further values, n_reals of them, whose names follow
  !
  !     call hiera_probe('heat')
  !     call hiera_probe('heat', 'n,step', [n, step], 2)
  !     call hiera_probe('heat', 'n,step,x', [n, step], 2, [x], 1)
  interface hiera_probe
    subroutine hiera_fortran_probe(name)
      character(len=*), intent(in) :: name
    end subroutine
    subroutine hiera_fortran_probe_text(name, names, text)
      character(len=*), intent(in) :: name, names, text
    end subroutine
    subroutine hiera_fortran_probe_ints(name, names, values, n)
      use, intrinsic :: iso_c_binding, only: c_int
      character(len=*), intent(in) :: name, names
      integer(c_int), intent(in) :: n
      integer(c_int), intent(in) :: values(*)
    end subroutine
    subroutine hiera_fortran_probe_longs(name, names, values, n)
      use, intrinsic :: iso_c_binding, only: c_int, c_long_long
      character(len=*), intent(in) :: name, names
      integer(c_int), intent(in) :: n
      integer(c_long_long), intent(in) :: values(*)
    end subroutine
    subroutine hiera_fortran_probe_floats(name, names, values, n)
      use, intrinsic :: iso_c_binding, only: c_int, c_float
      character(len=*), intent(in) :: name, names
      integer(c_int), intent(in) :: n
      real(c_float), intent(in) :: values(*)
    end subroutine
    subroutine hiera_fortran_probe_doubles(name, names, values, n)
      use, intrinsic :: iso_c_binding, only: c_int, c_double
      character(len=*), intent(in) :: name, names
      integer(c_int), intent(in) :: n
      real(c_double), intent(in) :: values(*)
    end subroutine
    subroutine hiera_fortran_probe_both(name, names, values, n, reals, n_reals)
      use, intrinsic :: iso_c_binding, only: c_int, c_double
      character(len=*), intent(in) :: name, names
      integer(c_int), intent(in) :: n, n_reals
      integer(c_int), intent(in) :: values(*)
      real(c_double), intent(in) :: reals(*)
    end subroutine
  end interface

  ! Run a probe script in this process from now on: a script, or the name of its file; without one that of HIERA_PROBE, if
  ! HIERA_PROBE_OPTIONS=wait=1 made it wait. `started` becomes 1 if it runs; else 0, and standard error says why not.
  interface hiera_probes_start
    subroutine hiera_fortran_probes_start(script, started)
      use, intrinsic :: iso_c_binding, only: c_int
      character(len=*), intent(in), optional :: script
      integer(c_int), intent(out), optional :: started
    end subroutine
  end interface

  ! Read a counter (docs/counters.md), such as 'proc:rss'. Returns 1; 0 if its value is not known, and then it is not changed.
  interface hiera_counter_read
    function hiera_fortran_counter_read(name, value) result(known)
      use, intrinsic :: iso_c_binding, only: c_int, c_double
      character(len=*), intent(in) :: name
      real(c_double), intent(inout) :: value
      integer(c_int) :: known
    end function
  end interface

  ! A reading that the program made itself: the counter user:name has this value until the next one.
  interface hiera_counter_sample
    subroutine hiera_fortran_counter_sample(name, value)
      use, intrinsic :: iso_c_binding, only: c_double
      character(len=*), intent(in) :: name
      real(c_double), intent(in) :: value
    end subroutine
  end interface

  interface
    ! Stop recording in all threads of this process, and go on. Pauses nest: each needs its hiera_resume.
    subroutine hiera_pause() bind(C, name='hiera_fortran_pause')
    end subroutine
    subroutine hiera_resume() bind(C, name='hiera_fortran_resume')
    end subroutine
    ! End the script: its END runs, and global_print() shows what this rank has.
    subroutine hiera_probes_stop() bind(C, name='hiera_fortran_probes_stop')
    end subroutine
  end interface
end module
