! The probes and sections of probed.c in Fortran. The word says what the program does.
program probed
  use mpi
  use hiera
  implicit none
  integer :: e, n
  character(len=20) :: word
  call mpi_init(e)
  call get_command_argument(1, word)
  if (word == 'sections') then
    do n = 1, 3
      call section("call::[end]::barrier { @barriers = count(); } '*section' { @values = sum(&i); }" // new_line('a') // &
        "END { print(@barriers); print(@values); }   ")
      call section() ! none, unless HIERA_PROBE waits: then the first time
    end do
    call section('call::[end]::barier { @n = count(); }')
    call mpi_finalize(e)
    stop
  end if
  do n = 0, 5
    call hiera_probe('bare')
    call hiera_probe('heat ', 'n', [n], 1, [1.0d0], 1)
    call hiera_probe('unasked', 'text', 'a text  ')
  end do
  call mpi_finalize(e)
contains
  subroutine section(script)
    character(len=*), intent(in), optional :: script
    integer :: started, i
    call hiera_probes_start(script, started)
    do i = 0, 5
      call hiera_probe('in section', 'i', [i], 1)
      call mpi_barrier(MPI_COMM_WORLD, e)
    end do
    if (started == 1) call hiera_probes_stop()
    print '(a, i0)', 'started ', started
  end subroutine
end program
