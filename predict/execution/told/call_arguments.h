/* Formats the arguments of a call as attributes, as in recorded calls (docs/format.md, "Arguments"). */
#pragma once

#include "handle_names.h"

/* Attributes of a call so far, while it is open; zeroed: none. */
typedef struct {
    char **values; /* n values by parameter; NULL: not known, or not recorded */
    guint n;
    gboolean any_source, any_tag; /* the call passes MPI_ANY_SOURCE, MPI_ANY_TAG */
    char *freed;                  /* a request that the call frees */
    gint64 bytes, received_bytes; /* below 0: there are none, or they are known only with the message */
    gint64 begun;                 /* bytes of the last file read that was begun; kept after the call */
} HieraCallArguments;

void hiera_call_arguments_clear(HieraCallArguments *arguments);
/* Take the input arguments of the call that a rank has reached. @param arguments  cleared before */
void hiera_call_arguments_take(HieraCallArguments *arguments, HieraHandleNames *names, HieraWorld *world, guint32 rank);
/* Take the output arguments of the call, and append all as attributes. */
void hiera_call_arguments_append(HieraCallArguments *arguments, HieraHandleNames *names, HieraWorld *world,
                                 guint32 rank, GString *text);
/* Append the attributes of a call that never ends. */
void hiera_call_arguments_append_open(const HieraCallArguments *arguments, const HieraCurrentCall *call, GString *text);
