! Heat in a rod, in modern Fortran: halo exchange, reductions, a derived type for the result. The outcome does not depend
! on the number of ranks.
program heat
    use mpi_f08
    implicit none
    integer, parameter :: cells = 64, steps = 200
    integer :: rank, ranks, mine, first, step, left, right, i
    real(8), allocatable :: u(:), v(:), rod(:)
    real(8) :: change, largest
    integer, allocatable :: counts(:), places(:)
    type(MPI_Comm) :: line
    type(MPI_Request) :: requests(4)
    type(MPI_Datatype) :: cell

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.false.], .true., line)
    call MPI_Comm_rank(line, rank)
    call MPI_Cart_shift(line, 0, 1, left, right)
    call MPI_Type_contiguous(1, MPI_DOUBLE_PRECISION, cell)
    call MPI_Type_commit(cell)

    mine = cells / ranks
    first = rank * mine
    allocate (u(0:mine + 1), v(mine), rod(cells), counts(ranks), places(ranks))
    u = 0
    if (rank == 0) u(0) = 100

    do step = 1, steps
        call MPI_Irecv(u(0), 1, cell, left, 1, line, requests(1))
        call MPI_Irecv(u(mine + 1), 1, cell, right, 2, line, requests(2))
        call MPI_Isend(u(1), 1, cell, left, 2, line, requests(3))
        call MPI_Isend(u(mine), 1, cell, right, 1, line, requests(4))
        call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
        v = u(1:mine) + 0.25d0 * (u(0:mine - 1) - 2 * u(1:mine) + u(2:mine + 1))
        change = maxval(abs(v - u(1:mine)))
        u(1:mine) = v
        call MPI_Allreduce(change, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, line)
    end do

    call MPI_Allgather(mine, 1, MPI_INTEGER, counts, 1, MPI_INTEGER, line)
    places = [(i * mine, i = 0, ranks - 1)]
    call MPI_Gatherv(u(1), mine, MPI_DOUBLE_PRECISION, rod, counts, places, MPI_DOUBLE_PRECISION, 0, line)
    if (rank == 0) print '(a, f12.8, a, 4f12.8)', 'last change', largest, ', the rod starts with', rod(1:4)
    call MPI_Type_free(cell)
    call MPI_Comm_free(line)
    call MPI_Finalize()
end program heat
