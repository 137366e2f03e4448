/* Hand-written parts of some calls, marked `special` in functions.table. The wrapper runs hiera_before_NAME and
 * hiera_after_NAME around the PMPI call, whether the call is recorded or not. */
#pragma once

#include "mpi/handle/comms.h"
#include "mpi/handle/types.h"

#include <mpi.h>

/* Before MPI_Init: add this process to the list of ranks that run with Hiera (the roster). */
void hiera_special_starting(void);

/* After MPI_Init: find rank and job, and open the trace. Collective over the ranks that run with Hiera. */
void hiera_special_started(void);

/* Before MPI_Finalize: complete the trace, except for later events. Collective over the ranks that run with Hiera. */
void hiera_special_finalizing(void);

/* Make MPI call hiera_special_finalizing() even if another tool intercepts MPI_Finalize. */
void hiera_special_watch_finalize(void);

/* After MPI_Pcontrol: level 0 pauses recording, any other level resumes it. */
void hiera_special_control(int level);

/* Before MPI_Abort: write the record buffers to the trace. `code`: error code of MPI_Abort. */
void hiera_special_aborting(int code);

#ifdef MPI_SESSION_NULL
/* After MPI_Session_init and before MPI_Session_finalize (sessions.c). No messages are exchanged, since other processes
 * need not open a session. */
void hiera_special_session_started(MPI_Session session);
void hiera_special_session_ending(MPI_Session session);
#endif

#define hiera_before_MPI_Init(...)                 hiera_special_starting()
#define hiera_before_MPI_Init_thread(...)          hiera_special_starting()
#define hiera_before_MPI_Finalize()                hiera_special_finalizing()
#define hiera_before_MPI_Pcontrol(level)           ((void)0)
#define hiera_before_MPI_Abort(comm, code)         hiera_special_aborting(code)
#define hiera_before_MPI_Comm_set_name(comm, name) ((void)0)
#define hiera_before_MPI_Type_set_name(type, name) ((void)0)
#define hiera_after_MPI_Init(result, ...)          ((result) == MPI_SUCCESS ? hiera_special_started() : (void)0)
#define hiera_after_MPI_Init_thread(result, ...)   ((result) == MPI_SUCCESS ? hiera_special_started() : (void)0)
#define hiera_before_MPI_Session_init(...)         ((void)0)
#define hiera_before_MPI_Session_finalize(session) hiera_special_session_ending(*(session))
#define hiera_after_MPI_Session_init(result, info, errhandler, session)                                                \
    ((result) == MPI_SUCCESS ? hiera_special_session_started(*(session)) : (void)0)
#define hiera_after_MPI_Session_finalize(result, session) ((void)0)
#define hiera_after_MPI_Finalize(result)                  ((void)0)
#define hiera_after_MPI_Pcontrol(result, level)           hiera_special_control(level)
#define hiera_after_MPI_Abort(result, comm, code)         ((void)0)
#define hiera_after_MPI_Comm_set_name(result, comm, name)                                                              \
    ((result) == MPI_SUCCESS ? hiera_comm_set_name(hiera_handle_find(HIERA_HANDLE_COMM, HIERA_KEY(comm)), name)        \
                             : (void)0)
#define hiera_after_MPI_Type_set_name(result, type, name)                                                              \
    ((result) == MPI_SUCCESS ? hiera_type_set_name(hiera_handle_find(HIERA_HANDLE_TYPE, HIERA_KEY(type)), name)        \
                             : (void)0)
