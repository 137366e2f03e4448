! The module hiera for a program that is built without Hiera, as -DHIERA_DISABLE does for C: the same calls, which do nothing.
! Compile this file instead of hiera.f90; no library is needed.
module hiera
  implicit none
  private
  public :: hiera_begin, hiera_end, hiera_pause, hiera_resume, hiera_assert_begin, hiera_assert_end, &
    hiera_probe, hiera_probes_start, hiera_probes_stop, hiera_counter_read, hiera_counter_sample

  interface hiera_end
    module procedure end_last, end_named
  end interface

  interface hiera_assert_end
    module procedure assert_end, assert_end_int, assert_end_ints, assert_end_long, assert_end_longs, assert_end_float, &
      assert_end_floats, assert_end_double, assert_end_doubles
  end interface

  interface hiera_probe
    module procedure probe, probe_text, probe_ints, probe_longs, probe_floats, probe_doubles, probe_both
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

  integer function hiera_assert_begin(text, file, line) result(id)
    character(len=*), intent(in) :: text
    character(len=*), intent(in), optional :: file
    integer, intent(in), optional :: line
    id = 0
  end function

  subroutine assert_end(id)
    integer, intent(in) :: id
  end subroutine

  subroutine assert_end_int(id, value)
    use, intrinsic :: iso_fortran_env, only: int32
    integer, intent(in) :: id
    integer(int32), intent(in) :: value
  end subroutine

  subroutine assert_end_ints(id, values, n)
    use, intrinsic :: iso_fortran_env, only: int32
    integer, intent(in) :: id, n
    integer(int32), intent(in) :: values(*)
  end subroutine

  subroutine assert_end_long(id, value)
    use, intrinsic :: iso_fortran_env, only: int64
    integer, intent(in) :: id
    integer(int64), intent(in) :: value
  end subroutine

  subroutine assert_end_longs(id, values, n)
    use, intrinsic :: iso_fortran_env, only: int64
    integer, intent(in) :: id, n
    integer(int64), intent(in) :: values(*)
  end subroutine

  subroutine assert_end_float(id, value)
    use, intrinsic :: iso_fortran_env, only: real32
    integer, intent(in) :: id
    real(real32), intent(in) :: value
  end subroutine

  subroutine assert_end_floats(id, values, n)
    use, intrinsic :: iso_fortran_env, only: real32
    integer, intent(in) :: id, n
    real(real32), intent(in) :: values(*)
  end subroutine

  subroutine assert_end_double(id, value)
    use, intrinsic :: iso_fortran_env, only: real64
    integer, intent(in) :: id
    real(real64), intent(in) :: value
  end subroutine

  subroutine assert_end_doubles(id, values, n)
    use, intrinsic :: iso_fortran_env, only: real64
    integer, intent(in) :: id, n
    real(real64), intent(in) :: values(*)
  end subroutine

  subroutine hiera_pause()
  end subroutine

  subroutine hiera_resume()
  end subroutine

  subroutine probe(name)
    character(len=*), intent(in) :: name
  end subroutine

  subroutine probe_text(name, names, text)
    character(len=*), intent(in) :: name, names, text
  end subroutine

  subroutine probe_ints(name, names, values, n)
    use, intrinsic :: iso_fortran_env, only: int32
    character(len=*), intent(in) :: name, names
    integer, intent(in) :: n
    integer(int32), intent(in) :: values(*)
  end subroutine

  subroutine probe_longs(name, names, values, n)
    use, intrinsic :: iso_fortran_env, only: int64
    character(len=*), intent(in) :: name, names
    integer, intent(in) :: n
    integer(int64), intent(in) :: values(*)
  end subroutine

  subroutine probe_floats(name, names, values, n)
    use, intrinsic :: iso_fortran_env, only: real32
    character(len=*), intent(in) :: name, names
    integer, intent(in) :: n
    real(real32), intent(in) :: values(*)
  end subroutine

  subroutine probe_doubles(name, names, values, n)
    use, intrinsic :: iso_fortran_env, only: real64
    character(len=*), intent(in) :: name, names
    integer, intent(in) :: n
    real(real64), intent(in) :: values(*)
  end subroutine

  subroutine probe_both(name, names, values, n, reals, n_reals)
    use, intrinsic :: iso_fortran_env, only: int32, real64
    character(len=*), intent(in) :: name, names
    integer, intent(in) :: n, n_reals
    integer(int32), intent(in) :: values(*)
    real(real64), intent(in) :: reals(*)
  end subroutine

  subroutine hiera_probes_start(script, started)
    character(len=*), intent(in), optional :: script
    integer, intent(out), optional :: started
    if (present(started)) started = 0
  end subroutine

  subroutine hiera_probes_stop()
  end subroutine

  integer function hiera_counter_read(name, value) result(known)
    use, intrinsic :: iso_fortran_env, only: real64
    character(len=*), intent(in) :: name
    real(real64), intent(inout) :: value
    known = 0
  end function

  subroutine hiera_counter_sample(name, value)
    use, intrinsic :: iso_fortran_env, only: real64
    character(len=*), intent(in) :: name
    real(real64), intent(in) :: value
  end subroutine
end module
