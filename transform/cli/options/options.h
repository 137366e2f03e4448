/* The command line, parsed and checked. */
#pragma once

#include "export/exports.h"
#include "measure_counters.h"
#include "probing/probing.h"
#include "shape.h"
#include "where/where.h"

typedef struct {
    GPtrArray *measures; /* const HieraMeasure *; empty if only a check, a page or an export is wanted */
    HieraFormat format;
    char *output; /* NULL: standard output */
    char *html;
    char *recover;             /* folder; NULL: no --recover */
    char *serve;               /* ADDR:PORT or ""; NULL: no server */
    const HieraExport *export; /* NULL: none */
    char *export_to;
    gboolean validate, quiet;
    gboolean list, version;
    HieraScope scope;
    HieraRanks *ranks;         /* owned; used by `scope` */
    char *level, *by;          /* likewise */
    char *thresholds;          /* likewise */
    MeasureCounters *counters; /* likewise, and by `measures`; NULL: no --counters */
    HieraRules *rules;         /* likewise */
    HieraRuleValues *values;   /* likewise */
    char *reports;             /* folder of what became of them in the program; NULL: they are checked on traces */
    char *baseline;            /* a kept run that rules compare with; NULL: none */
    gboolean estimate;         /* write limits for the rules */
    HieraProbeScript *probe;   /* NULL: no --probe */
    Where *where;              /* NULL: no --where */
    Shape shape;
    char *part;       /* the options that narrow the answer, as the user wrote them; "": none */
    char **arguments; /* trace files and folders, NULL-terminated */
} Options;

/* Parse the command line. @return the options, to be freed with options_free; NULL with an error if they are wrong */
Options *options_parse(int argc, char **argv, GError **error);
void options_free(Options *options);
/* The same options, but nothing is asked for except these measures in their first form; nothing of them is owned. */
Options options_of_measures(const Options *options, GPtrArray *measures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Options, options_free)
