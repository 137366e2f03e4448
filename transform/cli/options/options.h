/* The command line of hiera-transform, parsed and checked. */
#pragma once

#include "cli/findings/rules.h"
#include "export/exports.h"
#include "measure_counters.h"
#include "probing/probing.h"
#include "shape.h"
#include "where/where.h"

typedef struct {
    GPtrArray *measures; /* const HieraMeasure *, of --measure; empty: only a check, a page or an export is wanted */
    HieraFormat format;
    char *output; /* output file; NULL: standard output */
    char *html;
    char *recover;             /* folder of --recover; NULL if not given */
    char *serve;               /* address of --serve as ADDR:PORT, or ""; NULL: no server */
    const HieraExport *export; /* the export that --export chose; NULL: none */
    char *export_to;
    gboolean live; /* also read what is in the buffers of ranks that still run */
    gboolean validate, quiet;
    gboolean references;        /* JSON also says what the numbers are */
    gboolean sarif;             /* --format sarif: the findings of --validate, in place of tables */
    HieraSeverity fails;        /* --fail-on: --validate fails if a finding has this severity or a higher one */
    Suppressions *suppressions; /* of --suppress; owned here; NULL: none */
    char *explain;              /* rule of --explain; NULL if not given */
    gboolean list, version;
    HieraScope scope;
    HieraRanks *ranks;         /* ranks of --ranks, to which `scope` points; owned here */
    char *level, *by;          /* values of --level and --by, to which `scope` points; owned here */
    char *thresholds;          /* value of --thresholds, to which `scope` points; owned here */
    MeasureCounters *counters; /* from --counters; `scope` and `measures` point to it; owned here; NULL: not given */
    HieraRules *rules;         /* rules of --assert, to which `scope` points; owned here */
    HieraRuleValues *values;   /* values of the rules' `${NAME}`, to which `scope` points; owned here */
    char *reports;     /* folder of --reports, with results of rules from inside the program; NULL: rules are checked on
                          traces */
    char *baseline;    /* folder of the earlier run that baseline() in rules refers to; NULL: none */
    gboolean estimate; /* --estimate is given: find limits for the rules from several runs */
    HieraProbeScript *probe; /* script of --probe; NULL if not given */
    Where *where;            /* expression of --where; NULL if not given */
    Shape shape;
    char *command;    /* what the user typed, without --measure, --format, --output and --quiet */
    char *measure;    /* --measure, as the user gave it */
    char *part;       /* the options that select a part of the run, as the user wrote them; "": none */
    char **arguments; /* trace files and folders, NULL-terminated */
} Options;

/* Parse the command line. @return the options, to be freed with options_free; NULL with an error */
Options *options_parse(int argc, char **argv, GError **error);
void options_free(Options *options);
/* Write the tables of an answer in the format of the options. */
void options_write_tables(const Options *options, HieraTable *const *tables, guint n_tables,
                          const HieraFindings *findings, FILE *stream);
/* Return a copy of the options that asks for these measures alone, in their default form. The copy owns nothing. */
Options options_of_measures(const Options *options, GPtrArray *measures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Options, options_free)
