! Handles, texts, callbacks, windows and files from Fortran, in the three bindings. See fortran_source.py for !>.
module callbacks
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: copies = 0, deletes = 0, errors = 0
contains
  subroutine on_error(comm, error)
#ifdef BINDING_mpi_f08
    use mpi_f08
    type(MPI_Comm) :: comm
#else
    integer :: comm
#endif
    integer :: error
    errors = errors + 1
  end subroutine
  subroutine on_copy(comm, keyval, extra, value_in, value_out, flag, error)
#ifdef BINDING_mpi_f08
    use mpi_f08
    type(MPI_Comm) :: comm
#else
#ifdef BINDING_mpi
    use mpi
#else
    include 'mpif.h'
#endif
    integer :: comm
#endif
    integer :: keyval, error
    integer(MPI_ADDRESS_KIND) :: extra, value_in, value_out
    logical :: flag
    copies = copies + 1
    value_out = value_in + 1
    flag = .true.
    error = MPI_SUCCESS
  end subroutine
  subroutine on_delete(comm, keyval, value, extra, error)
#ifdef BINDING_mpi_f08
    use mpi_f08
    type(MPI_Comm) :: comm
#else
#ifdef BINDING_mpi
    use mpi
#else
    include 'mpif.h'
#endif
    integer :: comm
#endif
    integer :: keyval, error
    integer(MPI_ADDRESS_KIND) :: value, extra
    integer :: code(1)
    deletes = deletes + 1
    call mpi_barrier(MPI_COMM_SELF, code(1))   ! inside the call that called back
    error = MPI_SUCCESS
  end subroutine
end module

program objects
  use callbacks
#include "fortran_head.h"
  integer :: rank(1), size(1), next, a(4), b(4), n(1), keyval(1), group_rank(2), blocks(2)
  logical :: flag(1)
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=40) :: text
  H(MPI_Comm) :: c(1)
  H(MPI_Group) :: world(1), neighbour(1), previous(1)
  H(MPI_Errhandler) :: handler(1)
  H(MPI_Datatype) :: t(2), new(1)
  H(MPI_Info) :: info(1)
  H(MPI_Win) :: w(1)
  H(MPI_File) :: f(1)
  H(MPI_Request) :: r(1)
  ONE_STATUS :: s
  integer(MPI_ADDRESS_KIND) :: value(1), places(2), wide(2)
  !> init
  call mpi_init(ierr)
  !> comm_rank comm=MPI_COMM_WORLD rank={rank}
  call mpi_comm_rank(MPI_COMM_WORLD, rank(1), ierr)
  !> comm_size comm=MPI_COMM_WORLD size={size}
  call mpi_comm_size(MPI_COMM_WORLD, size(1), ierr)
  next = mod(rank(1) + 1, size(1))

  ! Attributes, names and error handlers.
  !> comm_create_keyval comm_copy_attr_fn=__callbacks_MOD_on_copy comm_delete_attr_fn=__callbacks_MOD_on_delete comm_keyval=*
  call mpi_comm_create_keyval(on_copy, on_delete, keyval(1), 0_MPI_ADDRESS_KIND, ierr)
  !> comm_set_attr comm=MPI_COMM_WORLD comm_keyval=*
  call mpi_comm_set_attr(MPI_COMM_WORLD, keyval(1), 7_MPI_ADDRESS_KIND, ierr)
  !> comm_dup comm=MPI_COMM_WORLD newcomm=P0_comm1
  call mpi_comm_dup(MPI_COMM_WORLD, c(1), ierr)
  !> comm_get_attr comm=P0_comm1 comm_keyval=* flag=1
  call mpi_comm_get_attr(c(1), keyval(1), value(1), flag(1), ierr)
  if (.not. flag(1) .or. value(1) /= 8 .or. copies /= 1) stop 3
  !> comm_delete_attr comm=P0_comm1 comm_keyval=*
  !> < barrier line=53 comm=MPI_COMM_SELF
  call mpi_comm_delete_attr(c(1), keyval(1), ierr)
  !> comm_delete_attr comm=MPI_COMM_WORLD comm_keyval=*
  !> < barrier line=53 comm=MPI_COMM_SELF
  call mpi_comm_delete_attr(MPI_COMM_WORLD, keyval(1), ierr)
  if (deletes /= 2) stop 4
  !> comm_free_keyval comm_keyval=*
  call mpi_comm_free_keyval(keyval(1), ierr)
  !> comm_set_name comm=P0_comm1 comm_name='my comm'
  call mpi_comm_set_name(c(1), 'my comm  ', ierr)
  !> comm_get_name comm=P0_comm1 resultlen=7 comm_name='my comm'
  call mpi_comm_get_name(c(1), name, n(1), ierr)
  if (name /= 'my comm' .or. n(1) /= 7) stop 5
  !> comm_create_errhandler comm_errhandler_fn=__callbacks_MOD_on_error errhandler=P{rank}_errhandler1
  call mpi_comm_create_errhandler(on_error, handler(1), ierr)
  !> comm_set_errhandler comm=P0_comm1 errhandler=P{rank}_errhandler1
  call mpi_comm_set_errhandler(c(1), handler(1), ierr)
  !> send count=1 type=MPI_INTEGER dest=99 tag=1 comm=P0_comm1 error=*
  call mpi_send(a, 1, MPI_INTEGER, 99, 1, c(1), ierr)
  if (errors /= 1) stop 6
  !> errhandler_free errhandler=P{rank}_errhandler1
  call mpi_errhandler_free(handler(1), ierr)

  ! Groups, datatypes and infos.
  !> comm_group comm=MPI_COMM_WORLD group=P{rank}_group1
  call mpi_comm_group(MPI_COMM_WORLD, world(1), ierr)
  group_rank(1) = next
  !> group_incl group=P{rank}_group1 n=1 newgroup=P{rank}_group2 ranks={next}
  call mpi_group_incl(world(1), 1, group_rank, neighbour(1), ierr)
  group_rank(1) = mod(rank(1) + size(1) - 1, size(1))
  !> group_incl group=P{rank}_group1 n=1 newgroup=P{rank}_group3 ranks={prev}
  call mpi_group_incl(world(1), 1, group_rank, previous(1), ierr)
  blocks = (/ 2, 1 /)
  places = (/ 0, 16 /)
  t(1) = MPI_INTEGER
  t(2) = MPI_DOUBLE_PRECISION
  !> type_create_struct count=2 newtype=P{rank}_dtype1 blocklengths='2 1' displacements='0 16'
  !> + types='MPI_INTEGER MPI_DOUBLE_PRECISION'
  call mpi_type_create_struct(2, blocks, places, t, new(1), ierr)
  !> type_commit type=P{rank}_dtype1
  call mpi_type_commit(new(1), ierr)
  !> type_free type=P{rank}_dtype1
  call mpi_type_free(new(1), ierr)
  !> info_create info=P{rank}_info1
  call mpi_info_create(info(1), ierr)
  !> info_set info=P{rank}_info1 key=key value='v w'
  call mpi_info_set(info(1), ' key ', 'v w ', ierr)
  !> info_get info=P{rank}_info1 valuelen=40 flag=1 key=key value='v w'
  call mpi_info_get(info(1), 'key', 40, text, flag(1), ierr)
  if (.not. flag(1) .or. text /= 'v w') stop 7

  ! Windows: fences, groups and locks.
  wide = 16
  !> win_create size=16 disp_unit=4 info=P{rank}_info1 comm=MPI_COMM_WORLD win=P{rank}_win1
  call mpi_win_create(b, wide(1), 4, info(1), MPI_COMM_WORLD, w(1), ierr)
  !> win_fence assert=0 win=P{rank}_win1
  call mpi_win_fence(0, w(1), ierr)
  wide = 1
  !> put origin_count=2 origin_type=MPI_INTEGER target_rank={next} target_disp=1 target_count=2 target_type=MPI_INTEGER
  !> + win=P{rank}_win1 bytes=8
  call mpi_put(a, 2, MPI_INTEGER, next, wide(1), 2, MPI_INTEGER, w(1), ierr)
  !> win_fence assert=0 win=P{rank}_win1
  call mpi_win_fence(0, w(1), ierr)
  !> get origin_count=1 origin_type=MPI_INTEGER target_rank={next} target_disp=1 target_count=1 target_type=MPI_INTEGER
  !> + win=P{rank}_win1 bytes=4
  call mpi_get(a, 1, MPI_INTEGER, next, wide(1), 1, MPI_INTEGER, w(1), ierr)
  !> accumulate origin_count=1 origin_type=MPI_INTEGER target_rank={next} target_disp=1 target_count=1 target_type=MPI_INTEGER
  !> + op=MPI_SUM win=P{rank}_win1 bytes=4
  call mpi_accumulate(a, 1, MPI_INTEGER, next, wide(1), 1, MPI_INTEGER, MPI_SUM, w(1), ierr)
  !> win_fence assert=0 win=P{rank}_win1
  call mpi_win_fence(0, w(1), ierr)
  !> win_lock lock_type=* rank={next} assert=0 win=P{rank}_win1
  call mpi_win_lock(MPI_LOCK_SHARED, next, 0, w(1), ierr)
  !> fetch_and_op type=MPI_INTEGER target_rank={next} target_disp=1 op=MPI_SUM win=P{rank}_win1
  call mpi_fetch_and_op(a, b(4), MPI_INTEGER, next, wide(1), MPI_SUM, w(1), ierr)
  !> rput origin_count=1 origin_type=MPI_INTEGER target_rank={next} target_disp=1 target_count=1 target_type=MPI_INTEGER
  !> + win=P{rank}_win1 request=1 bytes=4
  call mpi_rput(a, 1, MPI_INTEGER, next, wide(1), 1, MPI_INTEGER, w(1), r(1), ierr)
  !> wait requests=1 sources=- tags=- sizes=-
  call mpi_wait(r(1), MPI_STATUS_IGNORE, ierr)
  !> win_flush rank={next} win=P{rank}_win1
  call mpi_win_flush(next, w(1), ierr)
  !> win_unlock rank={next} win=P{rank}_win1
  call mpi_win_unlock(next, w(1), ierr)
  !> barrier comm=MPI_COMM_WORLD
  call mpi_barrier(MPI_COMM_WORLD, ierr)
  !> win_post group=P{rank}_group3 assert=0 win=P{rank}_win1
  call mpi_win_post(previous(1), 0, w(1), ierr)
  !> win_start group=P{rank}_group2 assert=0 win=P{rank}_win1
  call mpi_win_start(neighbour(1), 0, w(1), ierr)
  !> win_complete win=P{rank}_win1
  call mpi_win_complete(w(1), ierr)
  !> win_wait win=P{rank}_win1
  call mpi_win_wait(w(1), ierr)
  !> barrier comm=MPI_COMM_WORLD
  call mpi_barrier(MPI_COMM_WORLD, ierr)
  !> win_free win=P{rank}_win1
  call mpi_win_free(w(1), ierr)
  !> group_free group=P{rank}_group3
  call mpi_group_free(previous(1), ierr)
  !> group_free group=P{rank}_group2
  call mpi_group_free(neighbour(1), ierr)
  !> group_free group=P{rank}_group1
  call mpi_group_free(world(1), ierr)
  !> info_free info=P{rank}_info1
  call mpi_info_free(info(1), ierr)

  ! Files.
  !> file_open comm=P0_comm1 amode=9 info=MPI_INFO_NULL fh=P{rank}_file1 filename=fortran-file
  call mpi_file_open(c(1), 'fortran-file  ', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, f(1), ierr)
  !> file_set_view fh=P{rank}_file1 disp={16 * rank} etype=MPI_INTEGER filetype=MPI_INTEGER info=MPI_INFO_NULL datarep=native
  call mpi_file_set_view(f(1), int(16 * rank(1), MPI_OFFSET_KIND), MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  !> file_write_all fh=P{rank}_file1 count=4 type=MPI_INTEGER bytes=16
  call mpi_file_write_all(f(1), a, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  !> file_read_at fh=P{rank}_file1 offset=1 count=2 type=MPI_INTEGER bytes=8
  call mpi_file_read_at(f(1), 1_MPI_OFFSET_KIND, b, 2, MPI_INTEGER, s, ierr)
  !> file_iwrite_at fh=P{rank}_file1 offset=0 count=1 type=MPI_INTEGER request=2 bytes=4
  call mpi_file_iwrite_at(f(1), 0_MPI_OFFSET_KIND, a, 1, MPI_INTEGER, r(1), ierr)
  !> wait requests=2 sources=- tags=- sizes=-
  call mpi_wait(r(1), s, ierr)
  !> file_close fh=P{rank}_file1
  call mpi_file_close(f(1), ierr)
  !> comm_free comm=P0_comm1
  call mpi_comm_free(c(1), ierr)
  !> finalize
  call mpi_finalize(ierr)
end program
