! Rank 0 reads files and tells the others. What it found decides how often the last loop of all is repeated; each rank
! prints how often.
program inputs
  use mpi
  implicit none
  integer :: values(6), list(4), rank, ierror, status, i, n, times
  integer, volatile :: sink
  logical :: there, flag
  real(8) :: real_number
  real(4) :: half
  character(16) :: word
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  values = 0
  if (rank == 0) then
    inquire (file='deck.txt', exist=there)
    if (there) values(1) = 19
    open (unit=8, file='missing.txt', status='old', iostat=status)
    values(2) = merge(12, 23, status == 0)
    open (unit=7, file='deck.txt', status='old', iostat=status)
    if (status == 0) then
      read (7, *)
      read (7, *) n, i, word, real_number, half
      values(3) = n
      if (word == 'seventeen') values(4) = 17 + int(real_number * 10 + half)
      read (7, *) (list(i), i=1, 4)
      read (7, *) flag, n
      if (flag) values(5) = sum(list) + n
      do
        read (7, *, end=10) n
        values(6) = values(6) + n
      end do
10    close (7)
    end if
  end if
  call MPI_Bcast(values, 6, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  times = values(1) + 2 * values(2) + 3 * values(3) + 5 * values(4) + 7 * values(5) + 11 * values(6)
  sink = 0
  do i = 1, times
    sink = sink + i
  end do
  print *, rank, times
  call MPI_Finalize(ierror)
end program
