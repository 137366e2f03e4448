! Processes that are spawned from Fortran, in the three bindings. See fortran_source.py for !>. The children run this program
! too.
program spawn
#include "fortran_head.h"
  integer :: rank(1), counts(2), codes(3)
  character(len=400) :: path
  character(len=12) :: arguments(4), lists(2, 4)
  character(len=400) :: commands(2)
  H(MPI_Comm) :: children(1), parent(1)
  H(MPI_Info) :: infos(2)
  if (command_argument_count() > 0) then
    call pmpi_init(ierr)
    call pmpi_comm_get_parent(parent(1), ierr)
    call pmpi_comm_disconnect(parent(1), ierr)
    call pmpi_finalize(ierr)
    stop
  end if
  call get_command_argument(0, path)
  !> init
  call mpi_init(ierr)
  !> comm_rank comm=MPI_COMM_WORLD rank={rank}
  call mpi_comm_rank(MPI_COMM_WORLD, rank(1), ierr)
  arguments = (/ 'child       ', 'two words   ', "it's        ", '            ' /)
  !> comm_spawn root=0 comm=MPI_COMM_WORLD newcomm=*
  !> [rank == 0] + command=* argv="child 'two words' 'it'\\''s'" maxprocs=1 info=MPI_INFO_NULL
  call mpi_comm_spawn(path, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children(1), MPI_ERRCODES_IGNORE, ierr)
  !> comm_disconnect comm=*
  call mpi_comm_disconnect(children(1), ierr)
  commands = path
  lists = ' '
  lists(:, 1) = 'child'
  lists(2, 2) = 'two words'
  counts = (/ 1, 2 /)
  infos = MPI_INFO_NULL
  !> comm_spawn_multiple root=0 comm=MPI_COMM_WORLD newcomm=*
  !> [rank == 0] + count=2 commands='* *' argv="child ; child 'two words'" maxprocs='1 2' infos='MPI_INFO_NULL MPI_INFO_NULL' errcodes='0 0 0'
  call mpi_comm_spawn_multiple(2, commands, lists, counts, infos, 0, MPI_COMM_WORLD, children(1), codes, ierr)
  !> comm_disconnect comm=*
  call mpi_comm_disconnect(children(1), ierr)
  !> finalize
  call mpi_finalize(ierr)
end program
