/* One-sided communication with itself and the next rank: windows, transfers, synchronization. */
#include "expect.h"
#include "unseen.h"

#define WIN "win=P%d_win1"

static int rank, size, next, memory[64], data[64];
static MPI_Win win;

static void fence(void)
{
    EXPECT("win_fence", "assert=0 " WIN, rank);
    MPI_Win_fence(0, win);
}

static void transfers(void)
{
    int result[4];
    fence();
    EXPECT("put", "origin_count=3 origin_type=MPI_INT target_rank=%d target_disp=2 target_count=3 target_type=MPI_INT " WIN " bytes=12", next, rank);
    MPI_Put(data, 3, MPI_INT, next, 2, 3, MPI_INT, win);
    fence();
    EXPECT("get", "origin_count=4 origin_type=MPI_INT target_rank=%d target_disp=0 target_count=4 target_type=MPI_INT " WIN " bytes=16", next, rank);
    MPI_Get(result, 4, MPI_INT, next, 0, 4, MPI_INT, win);
    fence();
    EXPECT("accumulate", "origin_count=2 origin_type=MPI_INT target_rank=%d target_disp=0 target_count=2", next);
    ALSO("target_type=MPI_INT op=MPI_SUM " WIN " bytes=8", rank);
    MPI_Accumulate(data, 2, MPI_INT, next, 0, 2, MPI_INT, MPI_SUM, win);
    fence();
}

static void passive(void)
{
    int result[4], compare = 0;
    MPI_Request request;
    EXPECT("win_lock", "lock_type=%d rank=%d assert=0 " WIN, MPI_LOCK_SHARED, next, rank);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    EXPECT("get_accumulate", "origin_count=1 origin_type=MPI_INT result_count=1 result_type=MPI_INT target_rank=%d", next);
    ALSO("target_disp=0 target_count=1 target_type=MPI_INT op=MPI_SUM " WIN " bytes=4 rbytes=4", rank);
    MPI_Get_accumulate(data, 1, MPI_INT, result, 1, MPI_INT, next, 0, 1, MPI_INT, MPI_SUM, win);
    EXPECT("fetch_and_op", "type=MPI_INT target_rank=%d target_disp=1 op=MPI_SUM " WIN, next, rank);
    MPI_Fetch_and_op(data, result, MPI_INT, next, 1, MPI_SUM, win);
    EXPECT("compare_and_swap", "type=MPI_INT target_rank=%d target_disp=1 " WIN, next, rank);
    MPI_Compare_and_swap(data, &compare, result, MPI_INT, next, 1, win);
    EXPECT("win_flush", "rank=%d " WIN, next, rank);
    MPI_Win_flush(next, win);
    EXPECT("win_flush_local", "rank=%d " WIN, next, rank);
    MPI_Win_flush_local(next, win);
    EXPECT("rput", "origin_count=1 origin_type=MPI_INT target_rank=%d target_disp=2 target_count=1", next);
    ALSO("target_type=MPI_INT " WIN " request=%d bytes=4", rank, ++expect_request);
    MPI_Rput(data, 1, MPI_INT, next, 2, 1, MPI_INT, win, &request);
    EXPECT("wait", "requests=%d sources=- tags=- sizes=-", expect_request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT("win_unlock", "rank=%d " WIN, next, rank);
    MPI_Win_unlock(next, win);
    EXPECT("win_lock_all", "assert=0 " WIN, rank);
    MPI_Win_lock_all(0, win);
    EXPECT("win_sync", WIN, rank);
    MPI_Win_sync(win);
    EXPECT("win_flush_all", WIN, rank);
    MPI_Win_flush_all(win);
    EXPECT("win_flush_local_all", WIN, rank);
    MPI_Win_flush_local_all(win);
    EXPECT("win_unlock_all", WIN, rank);
    MPI_Win_unlock_all(win);
}

static void active(void)
{
    MPI_Group group;
    EXPECT("win_get_group", WIN " group=P%d_group1", rank, rank);
    MPI_Win_get_group(win, &group);
    EXPECT("win_post", "group=P%d_group1 assert=0 " WIN, rank, rank);
    MPI_Win_post(group, 0, win);
    EXPECT("win_start", "group=P%d_group1 assert=0 " WIN, rank, rank);
    MPI_Win_start(group, 0, win);
    EXPECT("win_complete", WIN, rank);
    MPI_Win_complete(win);
    EXPECT("win_wait", WIN, rank);
    MPI_Win_wait(win);
    EXPECT("group_free", "group=P%d_group1", rank);
    MPI_Group_free(&group);
}

static void other_windows(void)
{
    int length;
    MPI_Win other;
    void *base;
    EXPECT("win_set_name", WIN " win_name='a & b'", rank);
    MPI_Win_set_name(win, "a & b");
    EXPECT("win_get_name", WIN " win_name='a & b' resultlen=5", rank);
    MPI_Win_get_name(win, (char[MPI_MAX_OBJECT_NAME]){""}, &length);
    EXPECT("win_free", WIN, rank);
    MPI_Win_free(&win);
    EXPECT("win_allocate", "size=64 disp_unit=4 info=MPI_INFO_NULL comm=MPI_COMM_WORLD win=P%d_win2", rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &other);
    EXPECT("win_free", "win=P%d_win2", rank);
    MPI_Win_free(&other);
    EXPECT("win_allocate_shared", "size=64 disp_unit=4 info=MPI_INFO_NULL comm=MPI_COMM_WORLD win=P%d_win3", rank);
    MPI_Win_allocate_shared(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &other);
    MPI_Aint bytes;
    EXPECT("win_shared_query", "win=P%d_win3 rank=%d size=64 disp_unit=4", rank, next);
    MPI_Win_shared_query(other, next, &bytes, &length, &base);
    EXPECT("win_free", "win=P%d_win3", rank);
    MPI_Win_free(&other);
}

int main(int argc, char **argv)
{
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    UNSEEN(Comm_size)(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    EXPECT("win_create", "size=256 disp_unit=4 info=MPI_INFO_NULL comm=MPI_COMM_WORLD win=P%d_win1", rank);
    MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    transfers();
    active();
    passive();
    other_windows();
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
