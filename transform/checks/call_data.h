/* The data that a call gives and gets: datatypes with their signatures, operator, lists of counts. Reading keeps them
 * as a text for each call (reading/elements/types.c), the same for calls with the same data.
 *
 * The texts of signatures are those of collector/mpi/handle/signatures.h. */
#pragma once

#include "hiera_trace.h"

/* A datatype of a call. */
typedef struct HieraDatatype {
    const char *name; /* as in the trace: "MPI_INT", "P0_dtype1" */
    gint64 size;      /* in bytes; -1: not known */
    const char *signature;
    GArray *runs;  /* of equal values, once through the datatype; NULL: not known */
    gint64 period; /* bytes of all runs together */
} HieraDatatype;

/* What a call says of its data; each may be NULL. */
typedef struct {
    const HieraDatatype *both;             /* of a call with one datatype */
    const HieraDatatype *send, *receive;   /* where the two differ; of one-sided calls: at the origin, at the target; of
                                            a view of a file: of its elements, of the file */
    const char *op;                        /* name of the operator */
    GArray *send_counts, *receive_counts;  /* gint64, by peer */
    GPtrArray *send_types, *receive_types; /* HieraDatatype, by peer */
    GPtrArray *refused;                    /* char *: texts about arguments that MPI forbids */
    const char *made, *of;                 /* name of the datatype that the call makes, and of the one it is made of */
    const gint64 *vector;                  /* of a call that makes a vector: count, blocklength, stride */
    const gint64 *window;                  /* of a call that makes a window: its size and unit of displacements */
    const gint64 *access;                  /* of a one-sided call: origin_count, target_disp, target_count */
} HieraCallData;

/* How two sides differ, in bytes from the begin; G_MAXINT64: nowhere. */
typedef struct {
    gint64 at;         /* where a value has another size, or is of another kind: it is not what was sent */
    gint64 loose;      /* where the types differ, though the same bits mean the same on this machine */
    char words[2][24]; /* the values that differ at `at`, as "int32" */
} HieraTypeDifference;

typedef struct HieraDataOfCalls HieraDataOfCalls;

HieraDataOfCalls *hiera_data_of_calls_new(const HieraTrace *trace);
void hiera_data_of_calls_free(HieraDataOfCalls *calls);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraDataOfCalls, hiera_data_of_calls_free)
/* Whether the trace keeps the data of calls at all. */
gboolean hiera_data_of_calls_are_kept(const HieraDataOfCalls *calls);
/* Return the data of the call of a row; NULL: not kept, or the call has none. */
const HieraCallData *hiera_call_data_peek(HieraDataOfCalls *calls, guint32 row);
/* Whether the trace says a signature that cannot be read. */
gboolean hiera_datatype_is_unreadable(const HieraDatatype *type);
/* Compare what is sent with what is received, for messages of any length. Either may be NULL: nothing differs. */
const HieraTypeDifference *hiera_call_data_compare(HieraDataOfCalls *calls, const HieraDatatype *from,
                                                   const HieraDatatype *to);
/* Return the bytes of a value of a datatype whose values are all alike; 0: they are not, or it is not known. */
gint64 hiera_datatype_value(const HieraDatatype *type);
/* Whether MPI defines a predefined operator for a predefined datatype (MPI 4.1, 6.9.2); TRUE if that is not known. */
gboolean hiera_datatype_has_operator(const HieraDatatype *type, const char *op);
