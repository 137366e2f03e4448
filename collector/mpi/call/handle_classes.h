/* The classes of MPI handles. The generator of wrappers reads this table too (mpi/generate/table.py). */
#pragma once

#include <stdint.h>

/* Classes of handles: X(identifier, C type, prefix of the names of handles that the program made). */
#define HIERA_HANDLE_CLASSES(X)                                                                                        \
    X(COMM, MPI_Comm, "comm")                                                                                          \
    X(TYPE, MPI_Datatype, "dtype")                                                                                     \
    X(OP, MPI_Op, "op")                                                                                                \
    X(GROUP, MPI_Group, "group")                                                                                       \
    X(INFO, MPI_Info, "info")                                                                                          \
    X(ERRHANDLER, MPI_Errhandler, "errhandler")                                                                        \
    X(WIN, MPI_Win, "win")                                                                                             \
    X(FILE, MPI_File, "file")                                                                                          \
    X(MESSAGE, MPI_Message, "message")                                                                                 \
    X(SESSION, MPI_Session, "session")                                                                                 \
    X(ENUM, MPI_T_enum, "enum")                                                                                        \
    X(CVAR, MPI_T_cvar_handle, "cvar")                                                                                 \
    X(PVAR, MPI_T_pvar_handle, "pvar")                                                                                 \
    X(PVAR_SESSION, MPI_T_pvar_session, "pvar_session")                                                                \
    X(EVENT, MPI_T_event_registration, "event")

typedef enum HieraHandleClass {
#define X(identifier, type, prefix) HIERA_HANDLE_##identifier,
    HIERA_HANDLE_CLASSES(X)
#undef X
        HIERA_HANDLE_CLASS_COUNT
} HieraHandleClass;

/* A handle, which MPI libraries define as a pointer or an int, as a key for handle_map.h. The key is never 0 or 1,
 * which the map uses itself. */
#define HIERA_KEY(handle) ((uint64_t)(uintptr_t)(handle) ^ UINT64_C(1) << 63)
