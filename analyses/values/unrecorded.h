/** Threads that were not recorded, and what they make of measures, which are about the threads that call MPI; and
 * recorded threads that had to wait for a processor.
 *
 * A rank has such threads if these used more than 2 % of its processor time and more than a millisecond; or if a
 * library of OpenMP is loaded and there were threads without operations, and no other thread but the main one has any:
 * these could have computed. */
#pragma once

#include "hiera_measure.h"

/** What efficiencies and shares are about where threads were not recorded. */
#define HIERA_OF_MPI_THREADS "of the MPI threads"
/** The same where further threads were recorded, whose computation does not count. */
#define HIERA_OF_MAIN_THREADS "of the main threads"
/** The same where threads of OpenMP count, too, but there are others: without operations, or with some. */
#define HIERA_OF_RECORDED_THREADS "of the recorded threads"
#define HIERA_OF_OPENMP_THREADS   "of the threads of OpenMP"

typedef struct {
    guint n_ranks, n_with; /* ranks that were added; those of them with such threads */
    guint32 worst_rank;    /* the rank whose unrecorded threads used the greatest part of its processor time */
    HieraThreadUse worst;
    const char *of_threads; /* what the numbers are about; NULL: HIERA_OF_MPI_THREADS */
} HieraUnrecorded;

/** Add a rank. */
void hiera_unrecorded_add(HieraUnrecorded *unrecorded, const HieraProcessor *processor);

/** Add all ranks in the scope. With several processes, each knows it of all ranks. */
HieraUnrecorded hiera_unrecorded_find(const HieraTrace *trace, const HieraScope *scope);

/** Return of which threads the efficiency of a scope is: one of the two texts above; "": there are no others. */
const char *hiera_unrecorded_of(const HieraTrace *trace, const HieraScope *scope);

/** Return the sentence about these threads, to be freed with g_free; NULL if no rank has any. */
char *hiera_unrecorded_say(const HieraUnrecorded *unrecorded);

/** Add the sentence to the limits of a table; the second one that about the ranks in a scope. */
void hiera_unrecorded_limit_of(const HieraUnrecorded *unrecorded, HieraTable *table);
void hiera_unrecorded_limit(const HieraTrace *trace, const HieraScope *scope, HieraTable *table);

/** What a table about main threads says of that where no other threads of OpenMP have operations. */
#define HIERA_ONLY_MAIN_THREADS(measure) measure ": only main threads count, and there are others"

/** Add a sentence to the limits of a table that is about main threads, if a rank in the scope has other threads with
 * operations: the second one if none of these is of OpenMP. */
void hiera_main_threads_limit(const HieraTrace *trace, const HieraScope *scope, const char *sentence,
                              const char *without_openmp, HieraTable *table);

/** Return how long recorded threads waited for a processor, like "for 50.0 % of the time in which they could run (rank
 * 1: 51.2 %)"; NULL if that was less than 5 %, on each rank in the scope less than 10 %, less than a millisecond, or
 * less than 1 % of the run times. Of one rank there is nothing in brackets.
 * Ranks are either those in `crowded` (HieraShare; NULL: none) or all others. The second function makes a sentence of
 * it for the others. To be freed with g_free. */
char *hiera_queued_how_long(const HieraTrace *trace, const HieraScope *scope, const GArray *crowded,
                            gboolean are_crowded);
char *hiera_queued_say(const HieraTrace *trace, const HieraScope *scope, const GArray *crowded);
void hiera_queued_limit(const HieraTrace *trace, const HieraScope *scope, const GArray *crowded, HieraTable *table);
