/* Writes an archive like other tools do: microseconds from an offset, no attributes of Hiera, numbers of locations that
 * the files map, handles of requests that come again, all that MPI completed.
 *
 * other_tool FOLDER: two ranks exchange messages, each twice; MPI_Allreduce calls a function of a device.
 * other_tool FOLDER serial: one process without MPI, which has a device, and counts cycles.
 * other_tool FOLDER threads: one process with two threads of OpenMP, as Score-P has them. */
#include <otf2/otf2.h>
#include <stdio.h>
#include <string.h>

enum { N_RANKS = 2, RESOLUTION = 1000000, OFFSET = 5000, REQUEST_SEND = 70, REQUEST_RECEIVE = 71 };
enum { WORLD, N_GROUPS };
enum {
    INIT,
    IRECV,
    ISEND,
    WAITALL,
    ALLREDUCE,
    STARTALL,
    FINALIZE,
    TEST,
    ALLGATHER,
    N_MPI,
    STEP = N_MPI,
    DEVICE,
    N_REGIONS
};
static const char *const names[] = {
    "MPI_Init",     "MPI_Irecv", "MPI_Isend",     "MPI_Waitall",    "MPI_Allreduce", "MPI_Startall",
    "MPI_Finalize", "MPI_Test",  "MPI_Allgather", "step(int)",      "deviceCopy",    "",
    "node",         "n1",        "MPI Rank",      "MPI_COMM_WORLD", "app.c",         "PAPI_TOT_CYC"};
enum { EMPTY = N_REGIONS, NODE, HOST, PROCESS, COMM, FILE_NAME, METRIC, N_STRINGS };

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

/* Write a call that lasts from one microsecond to another, without what is in it. */
static void enter(OTF2_EvtWriter *events, int region, unsigned us)
{
    OTF2_EvtWriter_Enter(events, NULL, OFFSET + us, (OTF2_RegionRef)region);
}

static void leave(OTF2_EvtWriter *events, int region, unsigned us)
{
    OTF2_EvtWriter_Leave(events, NULL, OFFSET + us, (OTF2_RegionRef)region);
}

static void complete(OTF2_EvtWriter *events, unsigned us, unsigned other)
{
    OTF2_EvtWriter_MpiIrecv(events, NULL, OFFSET + us, other, 0, 9, 8, REQUEST_RECEIVE);
    OTF2_EvtWriter_MpiIsendComplete(events, NULL, OFFSET + us, REQUEST_SEND);
}

static void write_rank(OTF2_EvtWriter *events, unsigned rank)
{
    unsigned other = 1 - rank;
    enter(events, INIT, 0);
    leave(events, INIT, 10);
    enter(events, STEP, 20);
    enter(events, IRECV, 30);
    OTF2_EvtWriter_MpiIrecvRequest(events, NULL, OFFSET + 31, REQUEST_RECEIVE);
    leave(events, IRECV, 35);
    enter(events, ISEND, 40);
    OTF2_EvtWriter_MpiIsend(events, NULL, OFFSET + 41, other, 0, 9, 8, REQUEST_SEND);
    leave(events, ISEND, 45);
    enter(events, TEST, 46);
    OTF2_EvtWriter_MpiRequestTest(events, NULL, OFFSET + 46, REQUEST_RECEIVE);
    leave(events, TEST, 47);
    enter(events, WAITALL, 50);
    complete(events, 59, other);
    leave(events, WAITALL, 60);
    leave(events, STEP, 61);
    enter(events, STARTALL, 70); /* persistent requests: only their starts are known */
    OTF2_EvtWriter_MpiIrecvRequest(events, NULL, OFFSET + 71, REQUEST_RECEIVE);
    OTF2_EvtWriter_MpiIsend(events, NULL, OFFSET + 72, other, 0, 9, 8, REQUEST_SEND);
    leave(events, STARTALL, 73);
    enter(events, WAITALL, 80);
    complete(events, 89, other);
    leave(events, WAITALL, 90);
    enter(events, ALLREDUCE, 100 + 10 * rank);
    OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, OFFSET + 100 + 10 * rank);
    enter(events, DEVICE, 111);
    leave(events, DEVICE, 113);
    OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, OFFSET + 120, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                                    OTF2_COLLECTIVE_ROOT_NONE, 8, 8);
    leave(events, ALLREDUCE, 120);
    enter(events, ALLGATHER, 122);
    OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, OFFSET + 122);
    OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, OFFSET + 125, OTF2_COLLECTIVE_OP_ALLGATHER, 0,
                                    OTF2_COLLECTIVE_ROOT_NONE, 8, 8); /* EZTrace: received is that of one rank */
    leave(events, ALLGATHER, 125);
    enter(events, FINALIZE, 130);
    leave(events, FINALIZE, 140);
}

static void write_process(OTF2_EvtWriter *events)
{
    enter(events, STEP, 0);
    enter(events, DEVICE, 10);
    OTF2_EvtWriter_Metric(events, NULL, OFFSET + 20, 0, 1, &(OTF2_Type){OTF2_TYPE_UINT64},
                          &(OTF2_MetricValue){.unsigned_int = 7000});
    leave(events, DEVICE, 20);
    leave(events, STEP, 140);
}

static void write_regions(OTF2_GlobalDefWriter *definitions)
{
    for (OTF2_RegionRef i = 0; i < N_REGIONS; i++)
        OTF2_GlobalDefWriter_WriteRegion(definitions, i, i, i, EMPTY, OTF2_REGION_ROLE_FUNCTION,
                                         i < N_MPI   ? OTF2_PARADIGM_MPI
                                         : i == STEP ? OTF2_PARADIGM_COMPILER
                                                     : OTF2_PARADIGM_CUDA,
                                         OTF2_REGION_FLAG_NONE, i == STEP ? FILE_NAME : EMPTY, i == STEP ? 33 : 0, 0);
}

/* Write groups of locations: those of the devices, and those of MPI. */
static void write_groups(OTF2_GlobalDefWriter *definitions, unsigned n_ranks)
{
    static const uint64_t locations[N_RANKS] = {10, 20}, ranks[N_RANKS] = {0, 1}, devices[] = {10, 11, 12};
    OTF2_GlobalDefWriter_WriteGroup(definitions, 2, EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_CUDA,
                                    OTF2_GROUP_FLAG_NONE, sizeof devices / sizeof *devices, devices);
    if (n_ranks == 1)
        return;
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, n_ranks, locations);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, n_ranks, ranks);
    OTF2_GlobalDefWriter_WriteComm(definitions, 0, COMM, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void write_definitions(OTF2_GlobalDefWriter *definitions, unsigned n_ranks)
{
    OTF2_GlobalDefWriter_WriteClockProperties(definitions, RESOLUTION, OFFSET, 140, OTF2_UNDEFINED_TIMESTAMP);
    for (OTF2_StringRef i = 0; i < N_STRINGS; i++)
        OTF2_GlobalDefWriter_WriteString(definitions, i, names[i]);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, HOST, NODE, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    write_regions(definitions);
    for (unsigned rank = 0; rank < n_ranks; rank++) {
        OTF2_GlobalDefWriter_WriteLocationGroup(definitions, rank, PROCESS, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(definitions, 10 * (rank + 1), PROCESS, OTF2_LOCATION_TYPE_CPU_THREAD,
                                           n_ranks == 1 ? 5 : 30, rank);
    }
    write_groups(definitions, n_ranks);
    if (n_ranks > 1)
        return;
    OTF2_GlobalDefWriter_WriteMetricMember(definitions, 0, METRIC, EMPTY, OTF2_METRIC_TYPE_PAPI,
                                           OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0,
                                           EMPTY);
    OTF2_GlobalDefWriter_WriteMetricClass(definitions, 0, 1, &(OTF2_MetricMemberRef){0}, OTF2_METRIC_SYNCHRONOUS_STRICT,
                                          OTF2_RECORDER_KIND_CPU);
}

/* --- threads of OpenMP --- */

enum { PARALLEL, CRITICAL, BLOCK, BARRIER, TASK, TASK_WAIT, FOR, SET_LOCK, CREATE, N_CONSTRUCTS };
static const struct {
    const char *name;
    OTF2_RegionRole role;
    unsigned line;
} constructs[N_CONSTRUCTS] = {{"!$omp parallel @omp.c:5", OTF2_REGION_ROLE_PARALLEL, 5},
                              {"!$omp critical @omp.c:8", OTF2_REGION_ROLE_CRITICAL, 8},
                              {"!$omp critical sblock @omp.c:8", OTF2_REGION_ROLE_CRITICAL_SBLOCK, 8},
                              {"!$omp implicit barrier @omp.c:15", OTF2_REGION_ROLE_IMPLICIT_BARRIER, 15},
                              {"!$omp task @omp.c:6", OTF2_REGION_ROLE_TASK, 6},
                              {"!$omp taskwait @omp.c:7", OTF2_REGION_ROLE_TASK_WAIT, 7},
                              {"!$omp for @omp.c:12", OTF2_REGION_ROLE_LOOP, 12},
                              {"omp_set_lock", OTF2_REGION_ROLE_FUNCTION, 0},
                              {"!$omp create task @omp.c:6", OTF2_REGION_ROLE_TASK_CREATE, 6}};

static void write_critical(OTF2_EvtWriter *events, unsigned begin, unsigned alone, unsigned end)
{
    enter(events, CRITICAL, begin);
    OTF2_EvtWriter_ThreadAcquireLock(events, NULL, OFFSET + alone, OTF2_PARADIGM_OPENMP, 0, begin);
    enter(events, BLOCK, alone);
    leave(events, BLOCK, end);
    OTF2_EvtWriter_ThreadReleaseLock(events, NULL, OFFSET + end, OTF2_PARADIGM_OPENMP, 0, begin);
    leave(events, CRITICAL, end + 1);
}

static void write_part(OTF2_EvtWriter *events, unsigned begin, unsigned alone, unsigned end)
{
    OTF2_EvtWriter_ThreadTeamBegin(events, NULL, OFFSET + begin, 0);
    enter(events, PARALLEL, begin);
    write_critical(events, 20, alone, alone + 5);
    enter(events, BARRIER, 40);
    leave(events, BARRIER, end);
    leave(events, PARALLEL, end);
    OTF2_EvtWriter_ThreadTeamEnd(events, NULL, OFFSET + end, 0);
}

static void write_thread(OTF2_EvtWriter *events, unsigned thread)
{
    if (thread == 0) {
        OTF2_EvtWriter_ThreadFork(events, NULL, OFFSET + 10, OTF2_PARADIGM_OPENMP, 2);
        write_part(events, 11, 22, 50);
        OTF2_EvtWriter_ThreadJoin(events, NULL, OFFSET + 55, OTF2_PARADIGM_OPENMP);
        enter(events, SET_LOCK, 60);
        leave(events, SET_LOCK, 61);
        return;
    }
    write_part(events, 12, 28, 48);
    OTF2_EvtWriter_ThreadTeamBegin(events, NULL, OFFSET + 70, 0); /* of nobody's region */
    enter(events, FOR, 71);
    enter(events, CREATE, 71);
    OTF2_EvtWriter_ThreadTaskCreate(events, NULL, OFFSET + 71, 0, 1, 1);
    leave(events, CREATE, 72);
    OTF2_EvtWriter_ThreadTaskCreate(events, NULL, OFFSET + 72, 0, 1, 2); /* another tool writes no region */
    enter(events, TASK_WAIT, 72);
    OTF2_EvtWriter_ThreadTaskSwitch(events, NULL, OFFSET + 73, 0, 1, 1);
    enter(events, TASK, 73);
    leave(events, TASK, 75);
    OTF2_EvtWriter_ThreadTaskComplete(events, NULL, OFFSET + 75, 0, 1, 1);
    OTF2_EvtWriter_ThreadTaskSwitch(events, NULL, OFFSET + 75, 0, 1, 0);
    leave(events, TASK_WAIT, 76);
    leave(events, FOR, 80);
    OTF2_EvtWriter_ThreadTeamEnd(events, NULL, OFFSET + 80, 0);
}

static void write_constructs(OTF2_GlobalDefWriter *definitions)
{
    static const uint64_t locations[] = {10, 20}, members[] = {0, 1};
    static const char *const others[] = {"omp.c", "node", "n1", ""};
    enum { SOURCE = N_CONSTRUCTS, CLASS, MACHINE, NOTHING };
    OTF2_GlobalDefWriter_WriteClockProperties(definitions, RESOLUTION, OFFSET, 140, OTF2_UNDEFINED_TIMESTAMP);
    for (OTF2_StringRef i = 0; i < N_CONSTRUCTS + 4; i++)
        OTF2_GlobalDefWriter_WriteString(definitions, i, i < N_CONSTRUCTS ? constructs[i].name : others[i - SOURCE]);
    for (OTF2_RegionRef i = 0; i < N_CONSTRUCTS; i++)
        OTF2_GlobalDefWriter_WriteRegion(definitions, i, i, i, NOTHING, constructs[i].role, OTF2_PARADIGM_OPENMP,
                                         OTF2_REGION_FLAG_NONE, constructs[i].line ? SOURCE : NOTHING,
                                         constructs[i].line, constructs[i].line);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, MACHINE, CLASS, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteLocationGroup(definitions, 0, MACHINE, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    for (unsigned i = 0; i < 2; i++)
        OTF2_GlobalDefWriter_WriteLocation(definitions, locations[i], MACHINE, OTF2_LOCATION_TYPE_CPU_THREAD,
                                           i ? 20 : 16, 0);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, NOTHING, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP,
                                    OTF2_GROUP_FLAG_NONE, 2, locations);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, NOTHING, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP,
                                    OTF2_GROUP_FLAG_NONE, 2, members);
    OTF2_GlobalDefWriter_WriteComm(definitions, 0, NOTHING, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

int main(int argc, char **argv)
{
    static const OTF2_FlushCallbacks callbacks = {flush, NULL};
    int threads = argc > 2 && strcmp(argv[2], "threads") == 0;
    unsigned n_ranks = argc > 2 && !threads ? 1 : N_RANKS;
    OTF2_Archive *archive = argc > 1 ? OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 22,
                                                         OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)
                                     : NULL;
    if (!archive)
        return 1;
    OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    for (unsigned rank = 0; rank < n_ranks; rank++) {
        OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive, 10 * (rank + 1));
        if (threads)
            write_thread(events, rank);
        else if (n_ranks == 1)
            write_process(events);
        else
            write_rank(events, rank);
        OTF2_Archive_CloseEvtWriter(archive, events);
    }
    OTF2_Archive_CloseEvtFiles(archive);
    if (threads)
        write_constructs(OTF2_Archive_GetGlobalDefWriter(archive));
    else
        write_definitions(OTF2_Archive_GetGlobalDefWriter(archive), n_ranks);
    return OTF2_Archive_Close(archive) == OTF2_SUCCESS ? 0 : 1;
}
