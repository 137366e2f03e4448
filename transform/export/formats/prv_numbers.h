/* Numbers of Paraver's event types and states. Those of MPI and OpenMP are those of Extrae, so that the views that come
 * with Paraver work. */
#pragma once

/* Types of Paraver's event records: X(identifier, number, label). */
#define HIERA_PRV_TYPES(X)                                                                                             \
    X(POINT_TO_POINT, 50000001, "MPI Point-to-point")                                                                  \
    X(COLLECTIVE, 50000002, "MPI Collective Comm")                                                                     \
    X(OTHER, 50000003, "MPI Other")                                                                                    \
    X(ONE_SIDED, 50000004, "MPI One-sided")                                                                            \
    X(IO, 50000005, "MPI I/O")                                                                                         \
    X(SENT, 50100001, "Send Size in MPI Global OP")                                                                    \
    X(RECEIVED, 50100002, "Recv Size in MPI Global OP")                                                                \
    X(PARALLEL, 60000001, "Parallel (OMP)")                                                                            \
    X(BARRIER, 60000005, "OpenMP barrier")                                                                             \
    X(NAMED_LOCK, 60000006, "OpenMP named-Lock")                                                                       \
    X(UNNAMED_LOCK, 60000007, "OpenMP unnamed-Lock")                                                                   \
    X(PARALLEL_FUNCTION, 60000018, "Executed OpenMP parallel function")                                                \
    X(TASKWAIT, 60000022, "OMP taskwait")                                                                              \
    X(TASK_FUNCTION, 60000023, "Executed OpenMP task function")                                                        \
    X(TASKGROUP, 60000025, "Taskgroup calls")                                                                          \
    X(TASKLOOP, 60000029, "OMP taskloop")                                                                              \
    X(ORDERED, 60000033, "OpenMP ordered section")                                                                     \
    X(FUNCTION, 60000019, "User function")                                                                             \
    X(FUNCTION_LINE, 60000119, "User function line")                                                                   \
    X(CALLER_LINE, 80000001, "Caller line at level 1")

/* States of a thread in Paraver: X(identifier, number, label, colour). */
#define HIERA_PRV_STATES(X)                                                                                            \
    X(IDLE, 0, "Idle", "{117,195,255}")                                                                                \
    X(RUNNING, 1, "Running", "{0,0,255}")                                                                              \
    X(WAIT_MESSAGE, 3, "Waiting a message", "{255,0,0}")                                                               \
    X(SEND, 4, "Blocking Send", "{255,0,174}")                                                                         \
    X(SYNCHRONIZATION, 5, "Synchronization", "{179,0,0}")                                                              \
    X(TEST, 6, "Test/Probe", "{0,255,0}")                                                                              \
    X(FORK_JOIN, 7, "Scheduling and Fork/Join", "{255,255,0}")                                                         \
    X(WAIT, 8, "Wait/WaitAll", "{235,0,0}")                                                                            \
    X(ISEND, 10, "Immediate Send", "{255,0,255}")                                                                      \
    X(IRECEIVE, 11, "Immediate Receive", "{100,100,177}")                                                              \
    X(IO, 12, "I/O", "{172,174,41}")                                                                                   \
    X(COLLECTIVE, 13, "Group Communication", "{255,144,26}")                                                           \
    X(OTHERS, 15, "Others", "{192,224,0}")                                                                             \
    X(SEND_RECEIVE, 16, "Send Receive", "{66,66,66}")                                                                  \
    X(ONE_SIDED, 20, "Remote memory access", "{0,109,255}")

enum {
#define X(identifier, number, label) HIERA_PRV_TYPE_##identifier = (number),
    HIERA_PRV_TYPES(X)
#undef X
};
typedef enum {
#define X(identifier, number, label, colour) HIERA_PRV_STATE_##identifier = (number),
    HIERA_PRV_STATES(X)
#undef X
} HieraPrvState;
