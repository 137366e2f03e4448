! Collectives from Fortran, in the three bindings. ../expect/fortran_source.py reads the lines that begin with !>.
program collectives
#include "fortran_head.h"
  integer :: rank(1), size(1), i, a(16), b(16), counts(8), places(8), bytes(8), n(4)
  integer :: sources(4), targets(4), sweights(4), dweights(4), coords(2), dims(2)
  logical :: periods(2), flag(1), remain(2)
  H(MPI_Datatype) :: types(8)
  H(MPI_Comm) :: graph(1), cart(1), sub(1), spread(1)
  H(MPI_Request) :: r(1)
  H(MPI_Op) :: op(1)
  interface
    subroutine larger(x, y, length, datatype)
#ifdef BINDING_mpi_f08
      use mpi_f08
      use, intrinsic :: iso_c_binding, only : c_ptr
      type(c_ptr), value :: x, y
      integer :: length
      type(MPI_Datatype) :: datatype
#else
      integer :: length, x(length), y(length), datatype
#endif
    end subroutine
  end interface
  !> init
  call mpi_init(ierr)
  !> comm_rank comm=MPI_COMM_WORLD rank={rank}
  call mpi_comm_rank(MPI_COMM_WORLD, rank(1), ierr)
  !> comm_size comm=MPI_COMM_WORLD size={size}
  call mpi_comm_size(MPI_COMM_WORLD, size(1), ierr)
  a = rank(1) + 1
  b = 0

  ! With MPI_IN_PLACE, and with a root: some arguments are significant only there.
  !> allreduce count=3 type=MPI_INTEGER op=MPI_MAX comm=MPI_COMM_WORLD bytes=12 rbytes=12
  call mpi_allreduce(MPI_IN_PLACE, a, 3, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  if (a(3) /= size(1)) stop 3
  !> broadcast count=2 type=MPI_INTEGER root={size - 1} comm=MPI_COMM_WORLD bytes={8 * (rank == size - 1)}
  !> + rbytes={8 * (rank != size - 1)}
  call mpi_bcast(a, 2, MPI_INTEGER, size(1) - 1, MPI_COMM_WORLD, ierr)
  !> gather scount=1 stype=MPI_INTEGER root=0 comm=MPI_COMM_WORLD bytes=4 rbytes={4 * size * (rank == 0)}
  !> [rank == 0] + rcount=1 rtype=MPI_INTEGER
  call mpi_gather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  !> scatter rcount=1 rtype=MPI_INTEGER root=0 comm=MPI_COMM_WORLD bytes={4 * size * (rank == 0)} rbytes=4
  !> [rank == 0] + scount=1 stype=MPI_INTEGER
  call mpi_scatter(b, 1, MPI_INTEGER, a, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  if (rank(1) == 0) then
    !> [rank == 0] reduce count=4 type=MPI_INTEGER op=MPI_SUM root=0 comm=MPI_COMM_WORLD bytes=16 rbytes=16
    call mpi_reduce(MPI_IN_PLACE, a, 4, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  else
    !> [rank > 0] reduce count=4 type=MPI_INTEGER op=MPI_SUM root=0 comm=MPI_COMM_WORLD bytes=16 rbytes=0
    call mpi_reduce(a, b, 4, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  end if
  !> allgather rcount=1 rtype=MPI_INTEGER comm=MPI_COMM_WORLD bytes=4 rbytes={4 * size}
  call mpi_allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  !> alltoall rcount=1 rtype=MPI_INTEGER comm=MPI_COMM_WORLD bytes={4 * size} rbytes={4 * size}
  call mpi_alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)

  ! Collectives with counts, displacements or types for each rank.
  counts = 2
  places = (/ (2 * i, i = 0, 7) /)
  bytes = 4 * places
  types = MPI_INTEGER
  !> allgatherv scount=2 stype=MPI_INTEGER rtype=MPI_INTEGER comm=MPI_COMM_WORLD rcounts='{' '.join(size * ['2'])}' displs='{' '.join(str(2 * i) for i in range(size))}' bytes=8
  !> + rbytes={8 * size}
  call mpi_allgatherv(a, 2, MPI_INTEGER, b, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  !> gatherv scount=2 stype=MPI_INTEGER root=0 comm=MPI_COMM_WORLD bytes=8 rbytes={8 * size * (rank == 0)}
  !> [rank == 0] + rtype=MPI_INTEGER rcounts='{' '.join(size * ['2'])}' displs='{' '.join(str(2 * i) for i in range(size))}'
  call mpi_gatherv(a, 2, MPI_INTEGER, b, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  !> scatterv rcount=2 rtype=MPI_INTEGER root=0 comm=MPI_COMM_WORLD bytes={8 * size * (rank == 0)} rbytes=8
  !> [rank == 0] + stype=MPI_INTEGER scounts='{' '.join(size * ['2'])}' displs='{' '.join(str(2 * i) for i in range(size))}'
  call mpi_scatterv(b, counts, places, MPI_INTEGER, a, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  !> alltoallv stype=MPI_INTEGER rtype=MPI_INTEGER comm=MPI_COMM_WORLD scounts='{' '.join(size * ['2'])}' sdispls='{' '.join(str(2 * i) for i in range(size))}' rcounts='{' '.join(size * ['2'])}'
  !> + rdispls='{' '.join(str(2 * i) for i in range(size))}' bytes={8 * size} rbytes={8 * size}
  call mpi_alltoallv(a, counts, places, MPI_INTEGER, b, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  !> alltoallw comm=MPI_COMM_WORLD scounts='{' '.join(size * ['2'])}' sdispls='{' '.join(str(8 * i) for i in range(size))}' stypes='{' '.join(size * ['MPI_INTEGER'])}'
  !> + rcounts='{' '.join(size * ['2'])}' rdispls='{' '.join(str(8 * i) for i in range(size))}' rtypes='{' '.join(size * ['MPI_INTEGER'])}' bytes={8 * size} rbytes={8 * size}
  call mpi_alltoallw(a, counts, bytes, types, b, counts, bytes, types, MPI_COMM_WORLD, ierr)
  !> alltoallw comm=MPI_COMM_WORLD rcounts='{' '.join(size * ['2'])}' rdispls='{' '.join(str(8 * i) for i in range(size))}' rtypes='{' '.join(size * ['MPI_INTEGER'])}' bytes={8 * size}
  !> + rbytes={8 * size}
  call mpi_alltoallw(MPI_IN_PLACE, counts, bytes, types, b, counts, bytes, types, MPI_COMM_WORLD, ierr)
  !> reduce_scatter type=MPI_INTEGER op=MPI_SUM comm=MPI_COMM_WORLD rcounts='{' '.join(size * ['2'])}' bytes={8 * size} rbytes=8
  call mpi_reduce_scatter(a, b, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  !> reduce_scatter_block rcount=2 type=MPI_INTEGER op=MPI_SUM comm=MPI_COMM_WORLD bytes={8 * size} rbytes=8
  call mpi_reduce_scatter_block(a, b, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  !> scan count=2 type=MPI_INTEGER op=MPI_SUM comm=MPI_COMM_WORLD bytes=8 rbytes=8
  call mpi_scan(a, b, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)

  ! A reduction operation of the program, and a non-blocking collective.
  !> op_create user_fn=larger_ commute=1 op=P{rank}_op1
  call mpi_op_create(larger, .true., op(1), ierr)
  a = rank(1)
  !> allreduce count=4 type=MPI_INTEGER op=P{rank}_op1 comm=MPI_COMM_WORLD bytes=16 rbytes=16
  call mpi_allreduce(a, b, 4, MPI_INTEGER, op(1), MPI_COMM_WORLD, ierr)
  if (any(b(1:4) /= size(1) - 1)) stop 4
  !> iallreduce count=2 type=MPI_INTEGER op=MPI_SUM comm=MPI_COMM_WORLD request=1 bytes=8 rbytes=8
  call mpi_iallreduce(MPI_IN_PLACE, a, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, r(1), ierr)
  !> wait requests=1 sources=- tags=- sizes=-
  call mpi_wait(r(1), MPI_STATUS_IGNORE, ierr)
  !> op_free op=P{rank}_op1
  call mpi_op_free(op(1), ierr)

  ! Topologies: array arguments, and constants for missing weights.
  dims = 0
  !> dims_create nnodes={size} ndims=2 dims='{size} 1'
  call mpi_dims_create(size(1), 2, dims, ierr)
  periods = (/ .true., .false. /)
  !> cart_create comm=MPI_COMM_WORLD ndims=2 reorder=0 newcomm=P0_comm1 dims='{size} 1' periods='1 0'
  call mpi_cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., cart(1), ierr)
  !> cart_coords comm=P0_comm1 rank={rank} maxdims=2 coords='{rank} 0'
  call mpi_cart_coords(cart(1), rank(1), 2, coords, ierr)
  !> cart_get comm=P0_comm1 maxdims=2 dims='{size} 1' periods='1 0' coords='{rank} 0'
  call mpi_cart_get(cart(1), 2, dims, periods, coords, ierr)
  if (.not. periods(1) .or. periods(2)) stop 5
  !> cart_shift comm=P0_comm1 direction=0 disp=1 rank_source={prev} rank_dest={next}
  call mpi_cart_shift(cart(1), 0, 1, n(1), n(2), ierr)
  remain = (/ .true., .false. /)
  !> cart_sub comm=P0_comm1 newcomm=P0_comm1.1 remain_dims='1 0'
  call mpi_cart_sub(cart(1), remain, sub(1), ierr)
  sources(1) = mod(rank(1) + size(1) - 1, size(1))
  targets(1) = mod(rank(1) + 1, size(1))
  sweights(1) = 5
  dweights(1) = 6
  !> dist_graph_create_adjacent comm=MPI_COMM_WORLD indegree=1 outdegree=1 info=MPI_INFO_NULL reorder=0 newcomm=P0_comm2
  !> + neighbors_in={prev} neighbors_out={next}
  call mpi_dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph(1), ierr)
  !> neighbor_allgather scount=1 stype=MPI_INTEGER rcount=1 rtype=MPI_INTEGER comm=P0_comm2 bytes=4 rbytes=4
  call mpi_neighbor_allgather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, graph(1), ierr)
  !> dist_graph_neighbors_count comm=P0_comm2 indegree=1 outdegree=1 weighted=0
  call mpi_dist_graph_neighbors_count(graph(1), n(1), n(2), flag(1), ierr)
  !> comm_free comm=P0_comm2
  call mpi_comm_free(graph(1), ierr)
  !> dist_graph_create_adjacent comm=MPI_COMM_WORLD indegree=1 outdegree=1 info=MPI_INFO_NULL reorder=1 newcomm=P0_comm3
  !> + neighbors_in={prev} weights_in=5 neighbors_out={next} weights_out=6
  call mpi_dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, sweights, 1, targets, dweights, MPI_INFO_NULL, .true., graph(1), ierr)
  !> comm_free comm=P0_comm3
  call mpi_comm_free(graph(1), ierr)
  !> dist_graph_create_adjacent comm=MPI_COMM_WORLD indegree=0 outdegree=0 info=MPI_INFO_NULL reorder=0 newcomm=P0_comm4
  !> + neighbors_in='' neighbors_out=''
  call mpi_dist_graph_create_adjacent(MPI_COMM_WORLD, 0, sources, MPI_WEIGHTS_EMPTY, 0, targets, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., graph(1), ierr)
  !> comm_free comm=P0_comm4
  call mpi_comm_free(graph(1), ierr)
  !> comm_split comm=MPI_COMM_WORLD color=MPI_UNDEFINED key={rank} newcomm=MPI_COMM_NULL
  call mpi_comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, rank(1), spread(1), ierr)
  !> comm_free comm=P0_comm1.1
  call mpi_comm_free(sub(1), ierr)
  !> comm_free comm=P0_comm1
  call mpi_comm_free(cart(1), ierr)
  !> finalize
  call mpi_finalize(ierr)
end program

subroutine larger(x, y, length, datatype)
#ifdef BINDING_mpi_f08
  use mpi_f08
  use, intrinsic :: iso_c_binding, only : c_ptr, c_f_pointer
  implicit none
  type(c_ptr), value :: x, y
  integer :: length
  type(MPI_Datatype) :: datatype
  integer, pointer :: from(:), to(:)
  call c_f_pointer(x, from, (/length/))
  call c_f_pointer(y, to, (/length/))
  to = max(from, to)
#else
  implicit none
  integer :: length, x(length), y(length), datatype
  y = max(x, y)
#endif
end subroutine
