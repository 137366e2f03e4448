/* The command line: what the user asked for, checked. */
#ifndef HIERA_OPTIONS_H
#define HIERA_OPTIONS_H

#include "hiera_measure.h"

/* What can be written besides answers: X(identifier, name, what it names, needs the graph). */
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
    GPtrArray *measures; /* const HieraMeasure *, those asked for or the default; may be empty */
    HieraFormat format;
    char *output; /* NULL: standard output */
    char *html;
    Export export;
    char *export_to;
    gboolean export_needs_graph;
    gboolean validate, quiet;
    gboolean list, version;
    HieraScope scope;
    HieraRanks *ranks; /* of the scope */
    char *level;
    char **columns;   /* NULL: all; NULL-terminated */
    char **arguments; /* what was named to be read, NULL-terminated */
} Options;

/* Parse the command line. @return NULL and an error if it makes no sense */
Options *options_parse(int argc, char **argv, GError **error);
void options_free(Options *options);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Options, options_free)
/* Explain each measure. */
void options_list_measures(FILE *stream);

#endif
