/* Table of the functions of the MPI level that the core calls (HieraLevelOps). */
#include "handing_on.h"
#include "join_once.h"
#include "late_join.h"
#include "mpi/agree/job_folder.h"
#include "mpi/call/array_arguments.h"
#include "mpi/call/callbacks.h"
#include "mpi/call/own_calls.h"
#include "mpi/handle/buffers.h"
#include "mpi/handle/request_scratch.h"
#include "mpi/handle/watchpoints.h"
#include "mpi/probe/observed.h"
#include "mpi/write/call_asked.h"
#include "mpi/write/call_before.h"
#include "mpi/write/call_filter.h"
#include "mpi/write/call_fold.h"
#include "mpi/write/call_format.h"
#include "mpi/write/call_meter.h"
#include "mpi/write/call_writer.h"
#include "mpi/write/handle_format.h"
#include "mpi_library.h"
#include "mpi_names.h"
#include "next_functions.h"
#include "other_doors.h"
#include "other_tools.h"
#include "write/level_ops.h"

#include <mpi.h>
#include <stdlib.h>

static void load(void)
{
    hiera_mpi_is_there(); /* now, since later a signal handler may have to know it */
    hiera_call_filter_load();
    hiera_join_load();
    hiera_mpi_names_load();
    hiera_next_load();
    hiera_observed_load();
    hiera_buffers_load();
    hiera_watch_load(hiera_is_of_mpi);
}

static const char *missing(unsigned i)
{
    unsigned n = 0, n_watch = hiera_watch_missing() != NULL;
    if (i < n_watch)
        return hiera_watch_missing();
    while (hiera_company_missing(n))
        n++;
    return i - n_watch < n ? hiera_company_missing(i - n_watch) : hiera_doors_missing(i - n_watch - n);
}

/* End the job by Hiera's own wrapper of MPI_Abort, which writes the traces. */
static void end_job(int code)
{
    int begun = 0, ended = 0;
    if (hiera_mpi_is_there()) {
        hiera_own.Initialized(&begun);
        hiera_own.Finalized(&ended);
    }
    if (begun && !ended)
        MPI_Abort(MPI_COMM_WORLD, code);
    exit(code);
}

static const char *name_of(const HieraRecord *record)
{
    return hiera_mpi_calls[record->call - HIERA_RECORD_CALLS].function;
}

const HieraLevelOps hiera_level = {
    .load = load,
    .open_doors = hiera_doors_open,
    .end_thread = hiera_scratch_end_thread,
    .find_job = hiera_late_find_job,
    .missing = missing,
    .choose_folder = hiera_folder_choose,
    .around = hiera_callback_name_around,
    .write = hiera_call_write,
    .hide = hiera_call_filter_hide,
    .name = name_of,
    .drop = hiera_mpi_drop_blocks,
    .meter = hiera_call_meter,
    .meter_leave = hiera_call_meter_leave,
    .meter_begin = hiera_call_meter_new,
    .meter_forget = hiera_call_meter_forget,
    .meter_end = hiera_call_meter_free,
    .fold = hiera_call_fold,
    .follow = hiera_call_follow,
    .count = hiera_call_count,
    .declare_channels = hiera_call_declare_channels,
    .put_channels = hiera_call_put_channels,
    .channels_are_complete = hiera_call_channels_are_complete,
    .put_call = hiera_format_call,
    .put_part = hiera_format_part,
    .watch = hiera_observed_load,
    .end_job = end_job,
    .put_sum = hiera_format_sum,
    .declare_comm = hiera_format_declare_comm,
};
