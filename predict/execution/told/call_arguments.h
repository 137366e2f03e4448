/* The arguments of a call as the attributes that a recorded call has (docs/format.md, "Arguments"). */
#ifndef HIERA_EXECUTION_CALL_ARGUMENTS_H
#define HIERA_EXECUTION_CALL_ARGUMENTS_H

#include "handle_names.h"

/* What a call that is not over has so far; zeroed: none. */
typedef struct {
    char **values; /* by parameter, n of them; NULL: it is not known, or not recorded */
    guint n;
    gboolean any_source, any_tag; /* it asks for any */
    char *freed;                  /* a request that it gives back */
    gint64 bytes, received_bytes; /* below 0: there are none, or they come with the message */
    gint64 begun;                 /* bytes of the last read of a file that was begun: also after the call */
} HieraCallArguments;

void hiera_call_arguments_clear(HieraCallArguments *arguments);
/* Take what goes into the call that a rank has come to. @param arguments  cleared before */
void hiera_call_arguments_take(HieraCallArguments *arguments, HieraHandleNames *names, HieraWorld *world, guint32 rank);
/* Take what comes out of it, and append all as attributes. */
void hiera_call_arguments_append(HieraCallArguments *arguments, HieraHandleNames *names, HieraWorld *world,
                                 guint32 rank, GString *text);
/* Append those of a call that is never over. */
void hiera_call_arguments_append_open(const HieraCallArguments *arguments, const HieraCurrentCall *call, GString *text);

#endif
