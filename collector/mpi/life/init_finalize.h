/* The hand-written part of some calls: what is done before and after PMPI, recorded or not. Facts `special` in the
 * table. */
#ifndef HIERA_INIT_FINALIZE_H
#define HIERA_INIT_FINALIZE_H

#include "mpi/handle/comms.h"
#include "mpi/handle/types.h"

#include <mpi.h>

/* Before MPI_Init: tell the others that Hiera is here. */
void hiera_special_starting(void);

/* After MPI_Init: learn rank and job, open the trace. Collective among the processes that have Hiera. */
void hiera_special_started(void);

/* Before MPI_Finalize: the trace is complete but for what comes behind it. Collective likewise. */
void hiera_special_finalizing(void);

/* See to it that MPI_Finalize is noticed whoever takes it. */
void hiera_special_watch_finalize(void);

/* MPI_Pcontrol: 0 pauses, everything else resumes. */
void hiera_special_control(int level);

/* Before MPI_Abort: nothing may be lost. */
void hiera_special_aborting(int code);

#if MPI_VERSION >= 4
/* After MPI_Session_init and before MPI_Session_finalize (sessions.c): MPI may be used without MPI_Init. Nothing is
 * exchanged: nobody has to be there. */
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

#endif
