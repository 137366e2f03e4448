/* Start and end of OOPS, texts of errors, element types and operators. */
#include "internal.h"

#include <stdio.h>

static bool started_mpi; /* oops_init() called MPI_Init, so oops_finalize() calls MPI_Finalize */

int oops_init(int *argc, char ***argv)
{
    int running;
    int error = MPI_Initialized(&running);
    if (error || running)
        return error;
    started_mpi = true;
    return MPI_Init(argc, argv);
}

int oops_finalize(void)
{
    int over;
    int error = MPI_Finalized(&over);
    if (error || over || !started_mpi)
        return error;
    return MPI_Finalize();
}

const char *oops_error_text(int error, char text[OOPS_ERROR_TEXT])
{
    static const char *const ours[] = {
        [-OOPS_SUCCESS] = "no error",
        [-OOPS_ERR_OBJECT] = "an object or a pointer is NULL",
        [-OOPS_ERR_TYPE] = "no such element type or operator",
        [-OOPS_ERR_RANGE] = "a size, rank, tag or index is out of range",
        [-OOPS_ERR_DIRECTION] = "the topology has no such neighbour, row or column",
        [-OOPS_ERR_SHAPE] = "the objects do not fit together",
        [-OOPS_ERR_MEMORY] = "out of memory",
    };
    _Static_assert(OOPS_ERROR_TEXT >= MPI_MAX_ERROR_STRING, "room for the texts of MPI");
    int length;
    if (error <= 0 && error > -(int)(sizeof ours / sizeof ours[0]))
        snprintf(text, OOPS_ERROR_TEXT, "OOPS: %s", ours[-error]);
    else if (error < 0 || MPI_Error_string(error, text, &length) != MPI_SUCCESS)
        snprintf(text, OOPS_ERROR_TEXT, "unknown error %d", error);
    return text;
}

int oops_type_bytes(OopsType type)
{
    static const int bytes[] = {[OOPS_CHAR] = sizeof(char),
                                [OOPS_INT] = sizeof(int),
                                [OOPS_LONG] = sizeof(long),
                                [OOPS_FLOAT] = sizeof(float),
                                [OOPS_DOUBLE] = sizeof(double)};
    return (unsigned)type < OOPS_TYPES ? bytes[type] : 0;
}

/* The array is made in each call, because the handles of Open MPI are no constants for a static one. */
bool oops_type_find(OopsType type, MPI_Datatype *mpi)
{
    if ((unsigned)type >= OOPS_TYPES)
        return false;
    *mpi = (MPI_Datatype[]){[OOPS_CHAR] = MPI_CHAR,
                            [OOPS_INT] = MPI_INT,
                            [OOPS_LONG] = MPI_LONG,
                            [OOPS_FLOAT] = MPI_FLOAT,
                            [OOPS_DOUBLE] = MPI_DOUBLE}[type];
    return true;
}

bool oops_op_find(OopsOp op, MPI_Op *mpi)
{
    if ((unsigned)op >= OOPS_OPS)
        return false;
    *mpi = (MPI_Op[]){[OOPS_MAX] = MPI_MAX, [OOPS_MIN] = MPI_MIN, [OOPS_SUM] = MPI_SUM, [OOPS_PROD] = MPI_PROD}[op];
    return true;
}
