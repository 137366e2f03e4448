/* What --export writes, a row each. To add one: write a file with hiera_export_NAME, and add its row here and its line
 * in meson.build; the command line, its help and its messages follow. */
#ifndef HIERA_EXPORTS_H
#define HIERA_EXPORTS_H

#include "hiera_graph.h"

/* What an export is made of; each has what stands before it, too. */
typedef enum {
    HIERA_EXPORT_OF_FILES, /* the files of the traces */
    HIERA_EXPORT_OF_SUMS,  /* the operations in memory, or what stands for several calls in place of them */
    HIERA_EXPORT_OF_MATCH, /* the operations in memory, and their partners */
    HIERA_EXPORT_OF_GRAPH
} HieraExportNeed;

/* X(name, what the user names behind "NAME:", what it is made of, what is written). */
#define HIERA_EXPORTS(X)                                                                                               \
    X(chrome, "FILE", MATCH, "for chrome://tracing (JSON)")                                                            \
    X(compact, "DIR", FILES, "the traces in compact spelling")                                                         \
    X(csv, "DIR", MATCH, "operations, messages and collectives (CSV)")                                                 \
    X(dot, "FILE", MATCH, "the graph, for graphviz")                                                                   \
    X(extrap, "FILE", SUMS,  "profile, for Extra-P (JSON lines)")                                                      \
    X(folded, "FILE", SUMS,  "stacks and nanoseconds, for flame graphs")                                               \
    X(full, "DIR", FILES, "the traces in full spelling")                                                               \
    X(graphml, "FILE", GRAPH, "the graph, as GraphML")                                                                 \
    X(otf2, "DIR", MATCH, "an OTF2 archive, for Vampir and ViTE")                                                      \
    X(paje, "FILE", MATCH, "for pajeng, ViTE, R (Paje)")                                                               \
    X(perfetto, "FILE", MATCH, "for ui.perfetto.dev (protobuf)")                                                       \
    X(prv, "FILE", MATCH, "for Paraver (FILE.prv, FILE.pcf, FILE.row)")                                                \
    X(speedscope, "FILE", MATCH, "for speedscope.app (JSON)")

/* What an export may use. */
typedef struct {
    const HieraMatch *match;  /* NULL unless its row says that it needs it; its trace is that of the graph */
    const HieraGraph *graph;  /* likewise */
    const GArray *processors; /* HieraProcessor, by rank, not empty */
} HieraExportInput;

typedef struct {
    const char *name, *target, *help;
    HieraExportNeed need;
    /* Write to what the user named. The error's message begins with the path. */
    gboolean (*write)(const HieraExportInput *input, const char *target, GError **error);
} HieraExport;

/* The rows; the last one has no name. */
extern const HieraExport hiera_exports[];

#define X(name, where, need, text)                                                                                     \
    gboolean hiera_export_##name(const HieraExportInput *input, const char *target, GError **error);
HIERA_EXPORTS(X)
#undef X

#endif
