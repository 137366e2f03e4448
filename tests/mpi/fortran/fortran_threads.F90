! fortran_threads THREADS ROUNDS: each OpenMP thread sends itself ROUNDS messages with a tag of its own, and asks ROUNDS times for
! the size of a datatype. All threads use the same communicator.
program threads
  use omp_lib
#include "fortran_head.h"
  integer :: provided(1), n_threads, rounds, bad, i, me
  character(len=16) :: text
  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided(1), ierr)
  if (provided(1) /= MPI_THREAD_MULTIPLE) call exit(77)
  call get_command_argument(1, text)
  read (text, *) n_threads
  call get_command_argument(2, text)
  read (text, *) rounds
  bad = 0
  !$omp parallel do num_threads(n_threads) schedule(static, 1) reduction(+:bad) private(i, me)
  do i = 1, n_threads
    me = i
    call work(me, rounds, bad)
  end do
  print '(a,i0)', 'mismatches ', bad
  call mpi_finalize(ierr)
contains
  subroutine work(me, rounds, bad)
    integer, intent(in) :: me, rounds
    integer, intent(inout) :: bad
    integer :: round, there(2), got(2), error(1), bytes(1)
    H(MPI_Request) :: r(2)
    STATUS(2) :: st
    ONE_STATUS :: one
    do round = 1, rounds
      there = [me, round]
      got = 0
      call mpi_irecv(got, 2, MPI_INTEGER, 0, me, MPI_COMM_SELF, r(1), error(1))
      call mpi_isend(there, 2, MPI_INTEGER, 0, me, MPI_COMM_SELF, r(2), error(1))
      call mpi_type_size(MPI_DOUBLE_PRECISION, bytes(1), error(1))
      if (mod(round, 2) == 0) then
        call mpi_waitall(2, r, st, error(1))
      else
        call mpi_wait(r(2), MPI_STATUS_IGNORE, error(1))
        call mpi_wait(r(1), one, error(1))
      end if
      if (any(got /= there) .or. bytes(1) /= 8) bad = bad + 1
    end do
  end subroutine
end program
