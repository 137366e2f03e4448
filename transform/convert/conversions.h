/* Conversions of several traces: in their order, or shared out over processes. */
#ifndef HIERA_CONVERSIONS_H
#define HIERA_CONVERSIONS_H

#include "convert.h"

typedef struct {
    const char *path;
    char *target;  /* file that is written */
    guint index;   /* of the trace, for the changes */
    char *problem; /* why it could not; NULL: it could, or was not tried because one before it could not */
    gboolean done;
} HieraConversion;

void hiera_conversion_clear(gpointer conversion);

/* Do conversions (HieraConversion). What one process would not have written, because one before it failed, is removed
 * again.
 *
 * @param changes  NULL: none. With changes this process does all
 * @return  FALSE with the error of the first one that failed */
gboolean hiera_conversions_do(GArray *all, HieraSpelling spelling, const HieraConvertChanges *changes, GError **error);
/* A process that does not lead: do its share, when process 0 does conversions. */
void hiera_conversions_follow(void);

#endif
