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
    char *output; /* output file; NULL: standard output */
    char *html;
    char *recover;             /* folder of --recover; NULL if not given */
    char *serve;               /* address of --serve as ADDR:PORT, or ""; NULL: no server */
    const HieraExport *export; /* chosen export; NULL if none */
    char *export_to;
    gboolean validate, quiet;
    gboolean list, version;
    HieraScope scope;
    HieraRanks *ranks;         /* owned; used by `scope` */
    char *level, *by;          /* owned; used by `scope` */
    char *thresholds;          /* owned; used by `scope` */
    MeasureCounters *counters; /* owned; used by `scope` and `measures`; NULL: no --counters */
    HieraRules *rules;         /* owned; used by `scope` */
    HieraRuleValues *values;   /* owned; used by `scope` */
    char *reports;           /* folder of --reports, with results from the program; NULL: rules are checked on traces */
    char *baseline;          /* folder of the kept run for baseline(); NULL: none */
    gboolean estimate;       /* --estimate: write limits for the rules */
    HieraProbeScript *probe; /* script of --probe; NULL if not given */
    Where *where;            /* expression of --where; NULL if not given */
    Shape shape;
    char *part;       /* the options that narrow the result, as the user wrote them; "": none */
    char **arguments; /* trace files and folders, NULL-terminated */
} Options;

/* Parse the command line. @return the options, to be freed with options_free; NULL with an error if they are wrong */
Options *options_parse(int argc, char **argv, GError **error);
void options_free(Options *options);
/* Return a copy of the options that asks for nothing but these measures, in their first form. The copy owns nothing. */
Options options_of_measures(const Options *options, GPtrArray *measures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Options, options_free)
