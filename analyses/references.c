/* What the numbers of measures are, in a language that a program reads which has nothing of the analyser (hiera-check;
 * docs/measures.md, References). */
#include "measures.h"
#include <string.h>

#define DISTRIBUTION                                                                                                   \
    "count = count(); sum = sum(time); mean = mean(time); deviation = deviation(time); min = min(time); "              \
    "q1 = q1(time); median = median(time); q3 = q3(time); max = max(time); bytes_count = count(bytes); "               \
    "bytes = sum(bytes); bytes_mean = mean(bytes); bytes_deviation = deviation(bytes); bytes_min = min(bytes); "       \
    "bytes_q1 = q1(bytes); bytes_median = median(bytes); bytes_q3 = q3(bytes); bytes_max = max(bytes)"
#define OF_RANKS(value)                                                                                                \
    "min = rank_min(" value "); mean = rank_mean(" value "); max = rank_max(" value                                    \
    "); imbalance = imbalance(ranks() * rank_max(" value ") - sum(" value "), ranks() * rank_max(" value "))"
#define RUN_TIME "max(finalize) - min(init)"

static const struct {
    const char *measure, *by, *text;
} references[] = {
    {"summary", NULL,
     "each rank: \"# rank\" = count(); \"on # host\" = distinct(host); \"# operations\" = sum(operations); "
     "\"host, #\" = " RUN_TIME "; \"hosts, #\" = " RUN_TIME
     "; \"# MPI call\" = sum(mpi_calls); \"parallel efficiency #\" = percent(mean(useful), " RUN_TIME
     "); \"load balance #\" = percent(mean(useful), max(useful))"},
    {"levels", NULL, "each operation: processor = rank; depth = depth; count = count()"},
    {"operations", NULL,
     "each operation: processor = rank; level = level; operation = name; file = file; line = line; count = count()"},
    {"counts", NULL, "each operation: level = level; operation = name; count = count()"},
    {"times", NULL,
     "each rank: processor = rank; communication = sum(mpi); computation = sum(useful); total = sum(total)"},
    {"statistics", "operation", "each operation: level = level; operation = call; " DISTRIBUTION},
    {"statistics", "site", "each operation: level = level; operation = call; file = file; line = line; " DISTRIBUTION},
    {"statistics", "level", "each operation: level = level; " DISTRIBUTION},
    {"profile", NULL,
     "each node: path = path; level = level; calls = count(); inclusive = sum(time); exclusive = sum(itself); "
     "mpi = sum(mpi); " OF_RANKS("time")},
    {"hotspots", NULL,
     "each outermost: level = level; operation = call; file = file; line = line; calls = count(); "
     "mpi = sum(mpi); " OF_RANKS("mpi")},
    {"efficiency", "run",
     "each rank: processes = count(); time = " RUN_TIME "; useful-mean = mean(useful); useful-max = max(useful); "
     "efficiency = percent(mean(useful), " RUN_TIME "); load-balance = percent(mean(useful), max(useful))"},
};

const char *hiera_reference_find(const char *measure, const char *by)
{
    for (guint i = 0; i < G_N_ELEMENTS(references); i++) {
        gboolean first = i == 0 || strcmp(references[i - 1].measure, measure) != 0;
        if (strcmp(references[i].measure, measure) == 0 && (by ? g_strcmp0(references[i].by, by) == 0 : first))
            return references[i].text;
    }
    return NULL;
}
