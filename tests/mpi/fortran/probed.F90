! The probes of probed.c in Fortran.
program probed
  use mpi
  use hiera
  implicit none
  integer :: e, n
  call mpi_init(e)
  do n = 0, 5
    call hiera_probe('bare')
    call hiera_probe('heat ', 'n', [n], 1, [1.0d0], 1)
    call hiera_probe('unasked', 'text', 'a text  ')
  end do
  call mpi_finalize(e)
end program
