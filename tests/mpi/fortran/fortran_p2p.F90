! Requests and statuses from Fortran, in the three bindings. See fortran_source.py for !>.
program p2p
#include "fortran_head.h"
  integer :: rank(1), size(1), next, prev, a(8), b(8), n(2), which(4)
  logical :: flag(1)
  H(MPI_Request) :: r(4)
  STATUS(4) :: st
  ONE_STATUS :: s
  H(MPI_Message) :: message(1)
  integer(MPI_ADDRESS_KIND) :: address(1)
  H(MPI_Datatype) :: absolute(1)
  !> init
  call mpi_init(ierr)
  !> comm_rank comm=MPI_COMM_WORLD rank={rank}
  call mpi_comm_rank(MPI_COMM_WORLD, rank(1), ierr)
  !> comm_size comm=MPI_COMM_WORLD size={size}
  call mpi_comm_size(MPI_COMM_WORLD, size(1), ierr)
  next = mod(rank(1) + 1, size(1))
  prev = mod(rank(1) + size(1) - 1, size(1))
  a = rank(1)

  ! Persistent requests, started one by one and together, completed by each of the calls.
  !> recv_init count=1 type=MPI_INTEGER rem={prev} tag=1 comm=MPI_COMM_WORLD request=1
  call mpi_recv_init(b(1), 1, MPI_INTEGER, prev, 1, MPI_COMM_WORLD, r(1), ierr)
  !> recv_init count=2 type=MPI_INTEGER rem={prev} tag=2 comm=MPI_COMM_WORLD request=2
  call mpi_recv_init(b(2), 2, MPI_INTEGER, prev, 2, MPI_COMM_WORLD, r(2), ierr)
  !> send_init count=1 type=MPI_INTEGER dest={next} tag=1 comm=MPI_COMM_WORLD request=3 bytes=4
  call mpi_send_init(a, 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD, r(3), ierr)
  !> send_init count=2 type=MPI_INTEGER dest={next} tag=2 comm=MPI_COMM_WORLD request=4 bytes=8
  call mpi_send_init(a, 2, MPI_INTEGER, next, 2, MPI_COMM_WORLD, r(4), ierr)
  !> start requests=1
  call mpi_start(r(1), ierr)
  !> start requests=3
  call mpi_start(r(3), ierr)
  !> wait requests=1 sources={prev} tags=1 sizes=4
  call mpi_wait(r(1), s, ierr)
  !> wait requests=3 sources=- tags=- sizes=-
  call mpi_wait(r(3), MPI_STATUS_IGNORE, ierr)
  !> startall count=4 requests='1 2 3 4'
  call mpi_startall(4, r, ierr)
  !> waitall count=4 requests='1 2 3 4' sources='{prev} {prev} - -' tags='1 2 - -' sizes='4 8 - -'
  call mpi_waitall(4, r, st, ierr)
  !> request_free requests=1
  call mpi_request_free(r(1), ierr)
  !> request_free requests=2
  call mpi_request_free(r(2), ierr)
  !> request_free requests=3
  call mpi_request_free(r(3), ierr)
  !> request_free requests=4
  call mpi_request_free(r(4), ierr)

  ! Completion of one of several requests. The rank sends to itself, so that it is known which one completes.
  !> irecv count=1 type=MPI_INTEGER rem=0 tag=11 comm=MPI_COMM_SELF request=5
  call mpi_irecv(b(1), 1, MPI_INTEGER, 0, 11, MPI_COMM_SELF, r(1), ierr)
  !> irecv count=1 type=MPI_INTEGER rem=0 tag=12 comm=MPI_COMM_SELF request=6
  call mpi_irecv(b(2), 1, MPI_INTEGER, 0, 12, MPI_COMM_SELF, r(2), ierr)
  !> irecv count=1 type=MPI_INTEGER rem=0 tag=13 comm=MPI_COMM_SELF request=7
  call mpi_irecv(b(3), 1, MPI_INTEGER, 0, 13, MPI_COMM_SELF, r(3), ierr)
  !> irecv count=1 type=MPI_INTEGER rem=0 tag=14 comm=MPI_COMM_SELF request=8
  call mpi_irecv(b(4), 1, MPI_INTEGER, 0, 14, MPI_COMM_SELF, r(4), ierr)
  !> send count=1 type=MPI_INTEGER dest=0 tag=13 comm=MPI_COMM_SELF bytes=4
  call mpi_send(a, 1, MPI_INTEGER, 0, 13, MPI_COMM_SELF, ierr)
  !> waitany count=4 index=2 requests=7 sources=0 tags=13 sizes=4
  call mpi_waitany(4, r, n(1), s, ierr)
  !> send count=1 type=MPI_INTEGER dest=0 tag=12 comm=MPI_COMM_SELF bytes=4
  call mpi_send(a, 1, MPI_INTEGER, 0, 12, MPI_COMM_SELF, ierr)
  !> waitsome incount=4 outcount=1 indices=1 requests=6 sources=0 tags=12 sizes=4
  call mpi_waitsome(4, r, n(1), which, MPI_STATUSES_IGNORE, ierr)
  !> testany count=4 flag=0 pending='5 8'
  call mpi_testany(4, r, n(1), flag(1), MPI_STATUS_IGNORE, ierr)
  !> send count=1 type=MPI_INTEGER dest=0 tag=14 comm=MPI_COMM_SELF bytes=4
  call mpi_send(a, 1, MPI_INTEGER, 0, 14, MPI_COMM_SELF, ierr)
  !> testany count=4 index=3 flag=1 requests=8 sources=0 tags=14 sizes=4
  call mpi_testany(4, r, n(1), flag(1), MPI_STATUS_IGNORE, ierr)
  !> testsome incount=4 outcount=0 indices='' pending=5
  call mpi_testsome(4, r, n(1), which, st, ierr)
  !> send count=1 type=MPI_INTEGER dest=0 tag=11 comm=MPI_COMM_SELF bytes=4
  call mpi_send(a, 1, MPI_INTEGER, 0, 11, MPI_COMM_SELF, ierr)
  !> testsome incount=4 outcount=1 indices=0 requests=5 sources=0 tags=11 sizes=4
  call mpi_testsome(4, r, n(1), which, MPI_STATUSES_IGNORE, ierr)
  !> testall count=4 flag=1 requests='0 0 0 0' sources='- - - -' tags='- - - -' sizes='- - - -'
  call mpi_testall(4, r, flag(1), MPI_STATUSES_IGNORE, ierr)
  !> waitany count=4 index=-32766
  call mpi_waitany(4, r, n(1), MPI_STATUS_IGNORE, ierr)
  !> test flag=1 requests=0 sources=- tags=- sizes=-
  call mpi_test(r(1), flag(1), MPI_STATUS_IGNORE, ierr)

  ! Probes, and a receive that is cancelled.
  !> isend count=3 type=MPI_INTEGER dest={next} tag=21 comm=MPI_COMM_WORLD request=9 bytes=12
  call mpi_isend(a, 3, MPI_INTEGER, next, 21, MPI_COMM_WORLD, r(1), ierr)
  !> probe rem={prev} tag=21 comm=MPI_COMM_WORLD posted=any posted_tag=any
  call mpi_probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  !> receive count=8 type=MPI_INTEGER rem={prev} tag=21 comm=MPI_COMM_WORLD bytes=12 posted=any posted_tag=any
  call mpi_recv(b, 8, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  !> wait requests=9 sources=- tags=- sizes=-
  call mpi_wait(r(1), MPI_STATUS_IGNORE, ierr)
  !> isend count=2 type=MPI_INTEGER dest={next} tag=22 comm=MPI_COMM_WORLD request=10 bytes=8
  call mpi_isend(a, 2, MPI_INTEGER, next, 22, MPI_COMM_WORLD, r(1), ierr)
  !> mprobe rem={prev} tag=22 comm=MPI_COMM_WORLD message=P{rank}_message1
  call mpi_mprobe(prev, 22, MPI_COMM_WORLD, message(1), s, ierr)
  !> mrecv count=8 type=MPI_INTEGER message=P{rank}_message1 bytes=8
  call mpi_mrecv(b, 8, MPI_INTEGER, message(1), s, ierr)
  !> wait requests=10 sources=- tags=- sizes=-
  call mpi_wait(r(1), s, ierr)
  !> irecv count=8 type=MPI_INTEGER rem={prev} tag=99 comm=MPI_COMM_WORLD request=11
  call mpi_irecv(b, 8, MPI_INTEGER, prev, 99, MPI_COMM_WORLD, r(1), ierr)
  !> cancel requests=11
  call mpi_cancel(r(1), ierr)
  !> wait requests=11 sources=- tags=- sizes=-
  call mpi_wait(r(1), s, ierr)
  !> send count=1 type=MPI_INTEGER dest=MPI_PROC_NULL tag=5 comm=MPI_COMM_WORLD bytes=0
  call mpi_send(a, 1, MPI_INTEGER, MPI_PROC_NULL, 5, MPI_COMM_WORLD, ierr)

  ! A datatype that contains the address of the buffer (MPI_BOTTOM).
  !> get_address address=*
  call mpi_get_address(a, address(1), ierr)
  !> type_create_hindexed count=1 oldtype=MPI_INTEGER newtype=P{rank}_dtype1 blocklengths=2 displacements=*
  call mpi_type_create_hindexed(1, (/2/), address, MPI_INTEGER, absolute(1), ierr)
  !> type_commit type=P{rank}_dtype1
  call mpi_type_commit(absolute(1), ierr)
  !> sendrecv scount=1 stype=P{rank}_dtype1 dest={next} stag=31 rcount=8 rtype=MPI_INTEGER rem={prev} rtag=31
  !> + comm=MPI_COMM_WORLD bytes=8 rbytes=8
  call mpi_sendrecv(MPI_BOTTOM, 1, absolute(1), next, 31, b, 8, MPI_INTEGER, prev, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  if (b(1) /= prev .or. b(2) /= prev) stop 3
  !> sendrecv_replace count=2 type=MPI_INTEGER dest={next} stag=32 rem={prev} rtag=32 comm=MPI_COMM_WORLD bytes=8 rbytes=8
  call mpi_sendrecv_replace(b, 2, MPI_INTEGER, next, 32, prev, 32, MPI_COMM_WORLD, s, ierr)
  !> type_free type=P{rank}_dtype1
  call mpi_type_free(absolute(1), ierr)
  !> finalize
  call mpi_finalize(ierr)
end program
