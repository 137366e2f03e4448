/* Formats the arguments of an MPI call as attributes, as collectors do (docs/format.md, "Arguments"). */
#pragma once

#include "handle_names.h"

/* The attributes of a rank's current call, as far as they are known; all zero: no call. */
typedef struct {
    char **values; /* by parameter, n texts; NULL: the value is not known, or not recorded */
    guint n;
    gboolean any_source, any_tag; /* whether the call passes MPI_ANY_SOURCE, MPI_ANY_TAG */
    char *freed;                  /* number of the request that MPI_Request_free frees, as text; NULL: none */
    gint64 bytes, received_bytes; /* bytes sent and received; below 0: none, or not known before the message comes */
    gint64 begun;                 /* bytes of the rank's last MPI_File_read_…_begin, for the call that ends it */
} HieraCallArguments;

void hiera_call_arguments_clear(HieraCallArguments *arguments);
/* Format the input arguments of the call that a rank begins. @param arguments  cleared first */
void hiera_call_arguments_take(HieraCallArguments *arguments, HieraHandleNames *names, HieraWorld *world, guint32 rank);
/* Format the output arguments of a rank's call that has ended, and append all arguments as attributes. */
void hiera_call_arguments_append(HieraCallArguments *arguments, HieraHandleNames *names, HieraWorld *world,
                                 guint32 rank, GString *text);
/* Append the arguments of a call that never ends as attributes: only the input arguments are known. */
void hiera_call_arguments_append_open(const HieraCallArguments *arguments, const HieraCurrentCall *call, GString *text);
