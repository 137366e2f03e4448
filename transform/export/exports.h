/* The formats of --export, one row each. To add one: write a file with hiera_export_NAME, and add its row here and its
 * line in meson.build; the command line, its help and its messages follow. */
#pragma once

#include "hiera_graph.h"
#include "hiera_measure.h"

/* What an export needs as input; each kind also has what the kinds before it have. */
typedef enum {
    HIERA_EXPORT_OF_FILES, /* the files of the traces */
    HIERA_EXPORT_OF_SUMS,  /* operations in memory, or sums of several calls */
    HIERA_EXPORT_OF_MATCH  /* operations in memory, and their partners */
} HieraExportNeed;

/* X(name, argument behind "NAME:", input, whether several processes write it: TOGETHER or ALONE,
 * description of the output). */
#define HIERA_EXPORTS(X)                                                                                               \
    X(chrome, "FILE", MATCH, TOGETHER, "for chrome://tracing (JSON)")                                                  \
    X(compact, "DIR", FILES, TOGETHER, "the traces in compact spelling")                                               \
    X(csv, "DIR", MATCH, TOGETHER, "operations, messages and collectives (CSV)")                                       \
    X(dot, "FILE", MATCH, TOGETHER, "the graph, for graphviz")                                                         \
    X(extrap, "FILE", SUMS, TOGETHER, "profile, for Extra-P (JSON lines)")                                             \
    X(folded, "FILE", SUMS, TOGETHER, "stacks and nanoseconds, for flame graphs")                                      \
    X(full, "DIR", FILES, TOGETHER, "the traces in full spelling")                                                     \
    X(graphml, "FILE", MATCH, TOGETHER, "the graph, as GraphML")                                                       \
    X(otf2, "DIR", MATCH, TOGETHER, "an OTF2 archive, for Vampir and ViTE")                                            \
    X(paje, "FILE", MATCH, TOGETHER, "for pajeng, ViTE, R (Paje)")                                                     \
    X(perfetto, "FILE", MATCH, TOGETHER, "for ui.perfetto.dev (protobuf)")                                             \
    X(prv, "FILE", MATCH, TOGETHER, "for Paraver (FILE.prv, FILE.pcf, FILE.row)")                                      \
    X(speedscope, "FILE", MATCH, TOGETHER, "for speedscope.app (JSON)")

/* What an export gets as input. */
typedef struct {
    const HieraMatch *match;  /* NULL if the export needs files only */
    const HieraScope *scope;  /* with several processes: tells which processors are this process's own */
    const GArray *processors; /* HieraProcessor, by rank; at least one */
} HieraExportInput;

typedef struct {
    const char *name, *target, *help;
    HieraExportNeed need;
    gboolean together; /* several processes write it: if it needs files only, see hiera_conversions_follow(); else they
                        * call `write` with the operations that each has */
    /* Write the export. @param target  file or folder of the user. @param error  its message begins with the target */
    gboolean (*write)(const HieraExportInput *input, const char *target, GError **error);
} HieraExport;

/* Values of HieraExport.together. */
enum { HIERA_EXPORT_ALONE, HIERA_EXPORT_TOGETHER };

/* All exports; behind the last one is a row whose name is NULL. */
extern const HieraExport hiera_exports[];

#define X(name, where, need, who, text)                                                                                \
    gboolean hiera_export_##name(const HieraExportInput *input, const char *target, GError **error);
HIERA_EXPORTS(X)
#undef X
