/* Conversions of several traces: one after the other, or shared among processes. */
#pragma once

#include "convert.h"

typedef struct {
    const char *path;
    char *target;  /* path of the output file */
    guint index;   /* index of the trace, which HieraConvertChanges.begin gets */
    char *problem; /* why the conversion failed; NULL: it succeeded, or was skipped because an earlier one failed */
    gboolean done;
} HieraConversion;

void hiera_conversion_clear(gpointer conversion);

/* Run conversions (HieraConversion). If one fails, the outputs of later ones are removed, as a single process would not
 * have written them.
 *
 * @param changes  NULL: none. With changes this process runs all of them
 * @return  FALSE with the error of the first conversion that failed */
gboolean hiera_conversions_do(GArray *all, HieraEncoding encoding, const HieraConvertChanges *changes, GError **error);
/* In each process but 0: run this process's share of the conversions that process 0 runs. */
void hiera_conversions_follow(void);
