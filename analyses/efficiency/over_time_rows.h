/** Rows and forms (words of --by) of the measure over-time. */
#pragma once

#include "efficiency_factors.h"
#include "over_time_sums.h"

/** Words of --by, in the order of the forms. */
#define HIERA_OVER_TIME_BY "all,rank,waiting,waiting-rank,idle,thread,efficiency"

/** What forms say that are about main threads, where there are others. */
#define HIERA_OVER_TIME_OF_MAIN                                                                                        \
    "over-time: only main threads count, and their waiting in OpenMP is useful time; --by idle has all threads of "    \
    "OpenMP"

typedef enum {
    HIERA_OVER_TIME_ALL,
    HIERA_OVER_TIME_RANK,
    HIERA_OVER_TIME_WAITING,
    HIERA_OVER_TIME_WAITING_RANK,
    HIERA_OVER_TIME_IDLE,
    HIERA_OVER_TIME_THREAD,
    HIERA_OVER_TIME_EFFICIENCY,
    HIERA_N_OVER_TIME_FORMS
} HieraOverTimeForm;

/** Columns of the forms: macros for the parts that several forms share, then those of each form. */
#define HIERA_OVER_TIME_RANK_COLUMN   {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
#define HIERA_OVER_TIME_THREAD_COLUMN {"thread", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
#define HIERA_OVER_TIME_KEY_COLUMNS                                                                                    \
    {"from", HIERA_CELL_SECONDS, HIERA_ROLE_KEY}, {"to", HIERA_CELL_SECONDS, HIERA_ROLE_KEY},
#define HIERA_OVER_TIME_NS_COLUMNS                                                                                     \
    HIERA_OVER_TIME_KEY_COLUMNS{"useful", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},                                      \
        {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"io", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
#define HIERA_OVER_TIME_SHARE_COLUMNS                                                                                  \
    {"useful_share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM}, {"mpi_share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},           \
        {"io_share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},
#define HIERA_OVER_TIME_BAR_COLUMN {"bar", HIERA_CELL_BAR, HIERA_ROLE_TELLING},
#define HIERA_OVER_TIME_RANK_COLUMNS                                                                                   \
    HIERA_OVER_TIME_RANK_COLUMN HIERA_OVER_TIME_NS_COLUMNS HIERA_OVER_TIME_SHARE_COLUMNS HIERA_OVER_TIME_BAR_COLUMN
#define HIERA_OVER_TIME_ALL_COLUMNS                                                                                    \
    HIERA_OVER_TIME_NS_COLUMNS HIERA_OVER_TIME_SHARE_COLUMNS{"load-balance", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},   \
        {"communication", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL}, HIERA_OVER_TIME_BAR_COLUMN
/** @param lost  time that the form is about: "waiting" or "idle" */
#define HIERA_OVER_TIME_LOST_COLUMNS(lost)                                                                             \
    HIERA_OVER_TIME_NS_COLUMNS{lost, HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},                                           \
        HIERA_OVER_TIME_SHARE_COLUMNS{lost "_share", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},                           \
        HIERA_OVER_TIME_BAR_COLUMN
#define HIERA_OVER_TIME_EFFICIENCY_COLUMNS                                                                             \
    HIERA_OVER_TIME_KEY_COLUMNS{"processes", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},                                   \
        {"useful-mean", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"useful-max", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, \
        {"io-mean", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"efficiency", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},    \
        {"load-balance", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},                                                      \
        {"communication", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},                                                      \
        {"serialisation", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},                                                     \
        {"transfer", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING}, HIERA_EFFICIENCY_THREAD_COLUMNS

/** Forms of over-time that need the partners of all operations. */
extern const HieraMeasure hiera_over_time_waiting, hiera_over_time_waiting_rank, hiera_over_time_idle,
    hiera_over_time_thread, hiera_over_time_efficiency;

/** Add the rows of the current rank, if the form has rows by rank or thread. Call it before hiera_over_time_end_rank.
 * @param thread  its thread, in the form with threads */
void hiera_over_time_add_rank(const HieraOverTime *over, HieraOverTimeForm form, guint32 rank, guint32 thread,
                              HieraTable *table);
/** Add the rows of all ranks together, if the form has such rows. */
void hiera_over_time_add_all(const HieraOverTime *over, HieraOverTimeForm form, HieraTable *table);
