/* The command line, parsed and checked. */
#ifndef HIERA_OPTIONS_H
#define HIERA_OPTIONS_H

#include "hiera_measure.h"

/* Exports: X(identifier, name, placeholder of the path, needs the graph). */
#define EXPORTS(X)                                                                                                     \
    X(GRAPHML, "graphml", "FILE", 1)                                                                                   \
    X(FULL, "full", "DIR", 0)                                                                                          \
    X(COMPACT, "compact", "DIR", 0)
typedef enum {
#define X(identifier, name, target, graph) EXPORT_##identifier,
    EXPORTS(X)
#undef X
        EXPORT_NOTHING
} Export;

typedef struct {
    GPtrArray *measures; /* const HieraMeasure *; empty if only a check, a page or an export is wanted */
    HieraFormat format;
    char *output; /* NULL: standard output */
    char *html;
    Export export;
    char *export_to;
    gboolean export_needs_graph;
    gboolean validate, quiet;
    gboolean list, version;
    HieraScope scope;
    HieraRanks *ranks; /* owned; used by `scope` */
    char *level;       /* likewise */
    char **columns;    /* NULL-terminated; NULL: all columns */
    char **arguments;  /* trace files and folders, NULL-terminated */
} Options;

/* Parse the command line. @return the options, to be freed with options_free; NULL with an error if they are wrong */
Options *options_parse(int argc, char **argv, GError **error);
void options_free(Options *options);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Options, options_free)
/* Write all measures with their explanations and columns. */
void options_list_measures(FILE *stream);

#endif
