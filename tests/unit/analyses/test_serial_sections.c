/* Serial sections (analyses/calls/serial_sections.h), against who computes at each instant. */
#include "calls/serial_sections.h"
#include "suites.h"

enum { RANKS_MAX = 9, INSTANTS = 3000, NOBODY = -1, SEVERAL = -2 };

typedef struct {
    GRand *random;
    gint64 at_ns[RANKS_MAX];
    gint gap, length;     /* of computations at most */
    gint who[INSTANTS];   /* who computes: NOBODY, a rank, SEVERAL */
    gint alone[INSTANTS]; /* who is told to compute alone; NOBODY */
    gint64 last_ns;       /* end of the last section */
    gint last_rank;
} Job;

static gint64 next(guint32 rank, gint64 *end_ns, gpointer data)
{
    Job *job = data;
    gint64 begin_ns = job->at_ns[rank] + g_rand_int_range(job->random, 0, job->gap);
    *end_ns = begin_ns + g_rand_int_range(job->random, 0, job->length);
    if (*end_ns >= INSTANTS)
        return HIERA_TIME_OPEN;
    for (gint64 i = begin_ns; i < *end_ns; i++)
        job->who[i] = job->who[i] == NOBODY ? (gint)rank : SEVERAL;
    job->at_ns[rank] = *end_ns;
    return begin_ns;
}

static void alone(guint32 rank, gint64 begin_ns, gint64 end_ns, gpointer data)
{
    Job *job = data;
    if (begin_ns >= end_ns || begin_ns < job->last_ns || (begin_ns == job->last_ns && (gint)rank == job->last_rank))
        ck_abort_msg("rank %u alone from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, rank, begin_ns, end_ns);
    for (gint64 i = begin_ns; i < end_ns; i++)
        job->alone[i] = (gint)rank;
    job->last_ns = end_ns;
    job->last_rank = (gint)rank;
}

static void check(guint32 n_ranks, gint gap, gint length)
{
    Job job = {.random = g_rand_new_with_seed(n_ranks), .gap = gap, .length = length, .last_ns = -1};
    for (guint i = 0; i < INSTANTS; i++)
        job.who[i] = job.alone[i] = NOBODY;
    hiera_serial_sections_find(&(HieraComputations){n_ranks, next, alone, &job, FALSE, NULL});
    for (guint i = 0; i < INSTANTS; i++)
        if (job.alone[i] != (job.who[i] == SEVERAL ? NOBODY : job.who[i]))
            ck_abort_msg("%u ranks, at %u: %d alone, %d computes", n_ranks, i, job.alone[i], job.who[i]);
    g_rand_free(job.random);
}

START_TEST(a_rank_is_alone_when_no_other_one_computes)
{
    for (guint32 n_ranks = 2; n_ranks <= RANKS_MAX; n_ranks++) {
        check(n_ranks, 4, 4);
        check(n_ranks, 2, 30);
        check(n_ranks, 60, 8);
        check(n_ranks, 500, 20);
    }
}
END_TEST

START_TEST(a_job_of_one_rank_has_none)
{
    Job job = {.random = g_rand_new_with_seed(1), .gap = 4, .length = 4, .last_ns = -1};
    hiera_serial_sections_find(&(HieraComputations){1, next, alone, &job, FALSE, NULL});
    ck_assert_int_eq(job.last_ns, -1);
    g_rand_free(job.random);
}
END_TEST

TCase *serial_sections_tests(void)
{
    TCase *tests = tcase_create("serial sections");
    tcase_add_test(tests, a_rank_is_alone_when_no_other_one_computes);
    tcase_add_test(tests, a_job_of_one_rank_has_none);
    return tests;
}
