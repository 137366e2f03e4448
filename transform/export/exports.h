/* What --export writes, a row each. To add one: write a file with hiera_export_NAME, and add its row here and its line
 * in meson.build; the command line, its help and its messages follow. */
#ifndef HIERA_EXPORTS_H
#define HIERA_EXPORTS_H

#include "hiera_graph.h"

/* X(name, what the user names behind "NAME:", whether it needs the graph, what is written). */
#define HIERA_EXPORTS(X)                                                                                               \
    X(graphml, "FILE", TRUE, "the graph, as GraphML")                                                                  \
    X(full, "DIR", FALSE, "the traces in full spelling")                                                               \
    X(compact, "DIR", FALSE, "the traces in compact spelling")

/* What an export may use. */
typedef struct {
    const HieraGraph *graph;  /* NULL unless its row says that it needs it */
    const GArray *processors; /* HieraProcessor, by rank, not empty */
} HieraExportInput;

typedef struct {
    const char *name, *target, *help;
    gboolean needs_graph;
    /* Write to what the user named. The error's message begins with the path. */
    gboolean (*write)(const HieraExportInput *input, const char *target, GError **error);
} HieraExport;

/* The rows; the last one has no name. */
extern const HieraExport hiera_exports[];

#define X(name, where, graph, text)                                                                                    \
    gboolean hiera_export_##name(const HieraExportInput *input, const char *target, GError **error);
HIERA_EXPORTS(X)
#undef X

#endif
