/* All ranks write and read one file, each its own 16 bytes. */
#include "expect.h"
#include "unseen.h"

#define F "fh=P%d_file1"

static int rank, size, data[64];
static MPI_File file;

static void description(void)
{
    MPI_Offset offset;
    MPI_Datatype etype, filetype;
    int mode, flag;
    EXPECT("file_get_amode", F " amode=%d", rank, MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_File_get_amode(file, &mode);
    EXPECT("file_set_size", F " size=%d", rank, 16 * size);
    MPI_File_set_size(file, 16 * size);
    EXPECT("file_get_size", F " size=%d", rank, 16 * size);
    MPI_File_get_size(file, &offset);
    EXPECT("file_set_view", F " disp=0 etype=MPI_INT filetype=MPI_INT datarep=native info=MPI_INFO_NULL", rank);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    EXPECT("file_get_view", F " disp=0 etype=* filetype=* datarep=native", rank);
    MPI_File_get_view(file, &offset, &etype, &filetype, (char[MPI_MAX_DATAREP_STRING]){""});
    EXPECT("file_set_atomicity", F " flag=0", rank);
    MPI_File_set_atomicity(file, 0);
    EXPECT("file_get_atomicity", F " flag=0", rank);
    MPI_File_get_atomicity(file, &flag);
}

static void blocking_transfers(void)
{
    MPI_Status status;
    MPI_Offset offset;
    EXPECT("file_write_at", F " offset=%d count=4 type=MPI_INT bytes=16", rank, 4 * rank);
    MPI_File_write_at(file, 4 * rank, data, 4, MPI_INT, &status);
    EXPECT("file_write_at_all", F " offset=%d count=4 type=MPI_INT bytes=16", rank, 4 * rank);
    MPI_File_write_at_all(file, 4 * rank, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    EXPECT("file_sync", F, rank);
    MPI_File_sync(file);
    EXPECT("barrier", "comm=MPI_COMM_WORLD");
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT("file_read_at", F " offset=%d count=4 type=MPI_INT bytes=16", rank, 4 * rank);
    MPI_File_read_at(file, 4 * rank, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    EXPECT("file_seek", F " offset=%d whence=%d", rank, 4 * rank, MPI_SEEK_SET);
    MPI_File_seek(file, 4 * rank, MPI_SEEK_SET);
    EXPECT("file_read", F " count=2 type=MPI_INT bytes=8", rank);
    MPI_File_read(file, data, 2, MPI_INT, &status);
    EXPECT("file_get_position", F " offset=%d", rank, 4 * rank + 2);
    MPI_File_get_position(file, &offset);
    EXPECT("file_get_byte_offset", F " offset=3 disp=12", rank);
    MPI_File_get_byte_offset(file, 3, &offset);
    EXPECT("file_write", F " count=2 type=MPI_INT bytes=8", rank);
    MPI_File_write(file, data, 2, MPI_INT, &status);
    EXPECT("file_read_at_all", F " offset=%d count=4 type=MPI_INT bytes=16", rank, 4 * rank);
    MPI_File_read_at_all(file, 4 * rank, data, 4, MPI_INT, &status);
}

static void transfers_in_two_calls(void)
{
    MPI_Status status;
    MPI_Request request;
    EXPECT("file_iread_at", F " offset=%d count=4 type=MPI_INT request=%d bytes=16", rank, 4 * rank, ++expect_request);
    MPI_File_iread_at(file, 4 * rank, data, 4, MPI_INT, &request);
    EXPECT("wait", "requests=%d sources=- tags=- sizes=-", expect_request);
    MPI_Wait(&request, &status);
    EXPECT("file_iwrite_at", F " offset=%d count=4 type=MPI_INT request=%d bytes=16", rank, 4 * rank, ++expect_request);
    MPI_File_iwrite_at(file, 4 * rank, data, 4, MPI_INT, &request);
    EXPECT("wait", "requests=%d sources=- tags=- sizes=-", expect_request);
    MPI_Wait(&request, &status);
    EXPECT("file_write_at_all_begin", F " offset=%d count=4 type=MPI_INT bytes=16", rank, 4 * rank);
    MPI_File_write_at_all_begin(file, 4 * rank, data, 4, MPI_INT);
    EXPECT("file_write_at_all_end", F, rank);
    MPI_File_write_at_all_end(file, data, &status);
    EXPECT("file_read_at_all_begin", F " offset=%d count=4 type=MPI_INT", rank, 4 * rank);
    MPI_File_read_at_all_begin(file, 4 * rank, data, 4, MPI_INT);
    EXPECT("file_read_at_all_end", F " bytes=16", rank);
    MPI_File_read_at_all_end(file, data, &status);
}

int main(int argc, char **argv)
{
    char path[2000];
    snprintf(path, sizeof path, "%s/file <&> of all", getenv("HIERA_DIR"));
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    UNSEEN(Comm_size)(MPI_COMM_WORLD, &size);
    EXPECT("file_open", "comm=MPI_COMM_WORLD filename='%s' amode=%d info=MPI_INFO_NULL fh=P%d_file1", path, MPI_MODE_CREATE | MPI_MODE_RDWR, rank);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    description();
    blocking_transfers();
    transfers_in_two_calls();
    EXPECT("file_close", F, rank);
    MPI_File_close(&file);
    if (rank == 0) {
        EXPECT("file_delete", "filename='%s' info=MPI_INFO_NULL", path);
        MPI_File_delete(path, MPI_INFO_NULL);
    }
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
