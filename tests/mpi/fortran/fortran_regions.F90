! Regions from Fortran, in the three bindings. Lines with !> state what the trace must contain, see fortran_source.py.
program regions
#ifdef BINDING_mpi_f08
  use mpi_f08
#elif defined(BINDING_mpi)
  use mpi
#endif
  use hiera
  implicit none
#ifdef BINDING_mpifh
  include 'mpif.h'
#endif
  character(len=2000) :: long
  double precision :: reading = 0
  character(len=12) :: text
  integer :: e(1), id, other
  integer(8) :: large
  !> init
  call mpi_init(e(1))
  !> (hieraRegion 'time step' level=app args='step=1 of=2'
  call hiera_begin('app', 'time step', 'step=1 of=2')
  !> barrier comm=MPI_COMM_WORLD
  call mpi_barrier(MPI_COMM_WORLD, e(1))
  !> (hieraOOPS '' class=Grid method=bcast
  call hiera_begin('oops', 'Grid::bcast')
  !> barrier comm=MPI_COMM_WORLD
  call mpi_barrier(MPI_COMM_WORLD, e(1))
  call hiera_end()
  !> )
  call hiera_end()
  !> )
  ! Trailing blanks are ignored. A text may be empty.
  text = 'forces'
  !> (hieraRegion forces level=solver
  call hiera_begin('solver  ', text, '  ')
  call hiera_end()
  !> )
  !> (hieraRegion '' level=''
  call hiera_begin('', '', '')
  call hiera_end()
  !> )
  !> (hieraRegion ' x' level=app args='a=<"&>'
  call hiera_begin('app', ' x', 'a=<"&>')
  call hiera_end()
  !> )
  long = repeat('n', 2000)
  !> (hieraRegion {'n' * 1023} level={'n' * 1023} args={'n' * 1023}
  call hiera_begin(long, long, long)
  call hiera_end()
  !> )
  call hiera_pause()
  call hiera_begin('app', 'paused')
  call hiera_pause()
  call mpi_barrier(MPI_COMM_WORLD, e(1))
  call hiera_resume()
  call mpi_barrier(MPI_COMM_WORLD, e(1))
  call hiera_end()
  call hiera_resume()
  !> barrier comm=MPI_COMM_WORLD
  call mpi_barrier(MPI_COMM_WORLD, e(1))
  ! Assertions: values by type, several in an array, a communicator, and the place where it stands.
  !> (hieraRegion 'calls == 1 & $n == 3' level=assert
  id = hiera_assert_begin('calls == 1 & $n == 3')  ! unknown: calls were paused
  !> barrier comm=MPI_COMM_WORLD
  call mpi_barrier(MPI_COMM_WORLD, e(1))
  call hiera_assert_end(id, 3)
  !> )
  large = 5000000000_8
  !> (hieraRegion '$large == 5000000000 & calls == 0' level=assert
  id = hiera_assert_begin('$large == 5000000000 & calls == 0', __FILE__, __LINE__)  ! unknown: calls were paused
  call hiera_assert_end(id, large)
  !> )
  !> (hieraRegion '$a + $b + $c == 6.5 & calls == 0' level=assert
  id = hiera_assert_begin('$a + $b + $c == 6.5 & calls == 0  ')  ! unknown: calls were paused
  !> (hieraRegion '$x == 0.25' level=assert
  other = hiera_assert_begin('$x == 0.25')  ! failed
  call hiera_assert_end(other, 0.5)
  !> )
  call hiera_assert_end(id, [1.0_8, 2.0_8, 3.5_8], 3)
  !> )
  !> (hieraRegion '$a + $b + $c == 6.5' level=assert
  id = hiera_assert_begin('$a + $b + $c == 6.5')  ! ok
  call hiera_assert_end(id, [1.0_8, 2.0_8, 3.5_8], 3)
  !> )
  !> (hieraRegion '$large == 5000000000' level=assert
  id = hiera_assert_begin('$large == 5000000000')  ! ok
  call hiera_assert_end(id, large)
  !> )
  !> (hieraRegion 'nMPIProcesses($comm) == nMPIProcesses($MPI_COMM_WORLD)' level=assert
  id = hiera_assert_begin('nMPIProcesses($comm) == nMPIProcesses($MPI_COMM_WORLD)')  ! ok
#ifdef BINDING_mpi_f08
  call hiera_assert_end(id, MPI_COMM_WORLD%mpi_val)
#else
  call hiera_assert_end(id, MPI_COMM_WORLD)
#endif
  !> )
  !> (hieraRegion 'nMPIProcesses($comm) > 0' level=assert
  id = hiera_assert_begin('nMPIProcesses($comm) > 0')  ! failed
  call hiera_assert_end(id, 12345)
  !> )
  call hiera_counter_sample('fortran  ', 2.5d0)
  if (hiera_counter_read('user:fortran ', reading) == 1 .and. abs(reading - 2.5d0) > 0) error stop 'a counter'
  !> finalize
  call mpi_finalize(e(1))
  call hiera_end()
end program
