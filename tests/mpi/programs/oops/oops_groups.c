/* Groups: collective calls, messages, partners and workgroups. */
#include "oops_checks.h"

void check_collectives(OopsGroup *g)
{
    int value = rank == size - 1 ? 42 : 0, own[2] = {rank, 10 * rank}, all[8], part[2] = {-1, -1};
    GOOD(oops_group_barrier(g));
    GOOD(oops_group_bcast(g, &value, 1, OOPS_INT, size - 1));
    EXPECT(42, value);
    memset(all, -1, sizeof all);
    GOOD(oops_group_gather(g, own, 2, OOPS_INT, all, NULL, 0));
    for (int m = 0; m < size; m++)
        EXPECT(rank == 0 ? 10 * m : -1, all[2 * m + 1]);
    GOOD(oops_group_gather(g, own, 2, OOPS_INT, all, NULL, OOPS_ALL));
    for (int m = 0; m < size; m++)
        EXPECT(10 * m, all[2 * m + 1]);
    GOOD(oops_group_scatter(g, all, NULL, OOPS_INT, part, 2, 0));
    EXPECT(10 * rank, part[1]);
}

/* Member m has m + 1 numbers. */
void check_unequal_parts(OopsGroup *g)
{
    int own[4], all[20], counts[4], offsets[4], total = size * (size + 1) / 2;
    for (int m = 0; m < size; m++) {
        counts[m] = m + 1;
        offsets[m] = 4 * (size - 1 - m); /* in reverse order, with gaps */
    }
    for (int i = 0; i <= rank; i++)
        own[i] = 100 * rank + i;
    for (int root = -1; root < size; root++) {
        memset(all, -1, sizeof all);
        GOOD(oops_group_gather(g, own, rank + 1, OOPS_INT, all, counts, root < 0 ? OOPS_ALL : root));
        EXPECT(root < 0 || root == rank ? 100 * (size - 1) + size - 1 : -1, all[total - 1]);
        memset(all, -1, sizeof all);
        GOOD(oops_group_gatherv(g, own, rank + 1, OOPS_INT, all, counts, offsets, root < 0 ? OOPS_ALL : root));
        EXPECT(root < 0 || root == rank ? 0 : -1, all[4 * (size - 1)]);
        EXPECT(root < 0 || root == rank ? 100 * (size - 1) : -1, all[0]);
        EXPECT(-1, all[4 * size]);
    }
    GOOD(oops_group_gatherv(g, own, rank + 1, OOPS_INT, all, counts, offsets, OOPS_ALL));
    memset(own, -1, sizeof own);
    GOOD(oops_group_scatterv(g, all, counts, offsets, OOPS_INT, own, rank + 1, size - 1));
    EXPECT(100 * rank + rank, own[rank]);
    GOOD(oops_group_gather(g, own, rank + 1, OOPS_INT, all, counts, OOPS_ALL));
    memset(own, -1, sizeof own);
    GOOD(oops_group_scatter(g, all, counts, OOPS_INT, own, rank + 1, 0));
    EXPECT(100 * rank + rank, own[rank]);
}

static double factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

void check_reductions(OopsGroup *g)
{
    double own[2] = {rank + 1, -rank}, sum[2] = {-7, -7}, all = size * (size + 1) / 2.0;
    long whole = rank + 1, product = 0;
    char letter = (char)('a' + rank), last = 0;
    float half = 0.5f * (float)rank, least = -7;
    GOOD(oops_group_sum(g, own, sum, 2, OOPS_DOUBLE, size - 1));
    EXPECT(rank == size - 1 ? all : -7, sum[0]);
    GOOD(oops_group_sum(g, own, sum, 2, OOPS_DOUBLE, OOPS_ALL));
    EXPECT(all, sum[0]);
    EXPECT(size - all, sum[1]);
    GOOD(oops_group_prod(g, &whole, &product, 1, OOPS_LONG, OOPS_ALL));
    EXPECT(factorial(size), product);
    GOOD(oops_group_max(g, &letter, &last, 1, OOPS_CHAR, 0));
    EXPECT(rank == 0 ? 'a' + size - 1 : 0, last);
    GOOD(oops_group_min(g, &half, &least, 1, OOPS_FLOAT, OOPS_ALL));
    EXPECT(0, least);
    GOOD(oops_group_reduce(g, own, sum, 1, OOPS_DOUBLE, OOPS_PROD, 0));
    EXPECT(rank == 0 ? factorial(size) : all, sum[0]);
    GOOD(oops_group_allreduce(g, own, sum, 2, OOPS_DOUBLE, OOPS_MIN));
    EXPECT(1 - size, sum[1]);
    GOOD(oops_group_scan(g, own, sum, 1, OOPS_DOUBLE, OOPS_SUM));
    EXPECT((rank + 1) * (rank + 2) / 2, sum[0]);
}

/* A letter goes round the ring, sent by the group and by partners. */
void check_messages(OopsGroup *g)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, got = -1;
    OopsPartner *to, *from;
    GOOD(oops_partner_new(g, next, &to));
    GOOD(oops_partner_new(g, previous, &from));
    if (size > 1 && rank == 0)
        GOOD(oops_group_recv(g, &got, 1, OOPS_INT, previous, 3));
    if (size > 1)
        GOOD(oops_group_send(g, &rank, 1, OOPS_INT, next, 3));
    if (size > 1 && rank > 0)
        GOOD(oops_group_recv(g, &got, 1, OOPS_INT, previous, 3));
    EXPECT(size > 1 ? previous : -1, got);
    if (size > 1 && rank % 2 == 0)
        GOOD(oops_partner_send(to, &next, 1, OOPS_INT, OOPS_TAG_MAX));
    if (size > 1)
        GOOD(oops_partner_recv(from, &got, 1, OOPS_INT, OOPS_TAG_MAX));
    if (size > 1 && rank % 2 == 1)
        GOOD(oops_partner_send(to, &next, 1, OOPS_INT, OOPS_TAG_MAX));
    EXPECT(size > 1 ? rank : -1, got);
    GOOD(oops_partner_free(to));
    GOOD(oops_partner_free(from));
}

void check_parts(OopsGroup *g)
{
    OopsGroup *odd, *some, *again;
    int ranks[4] = {size - 1, 0};
    GOOD(oops_group_split(g, rank % 2 == 1 ? 5 : OOPS_NOBODY, -rank, &odd));
    EXPECT(rank % 2 == 1, odd != NULL);
    if (odd) {
        EXPECT(size / 2, oops_group_size(odd));
        EXPECT((size - 1 - rank) / 2, oops_group_rank(odd)); /* the keys reverse the order */
        for (int p = 0; p < size; p++)
            EXPECT(p % 2, oops_group_is_in_group(odd, p));
    }
    GOOD(oops_group_free(odd));
    GOOD(oops_group_sub_group(g, size > 1 ? 2 : 1, ranks, &some));
    EXPECT(rank == 0 || rank == size - 1, some != NULL);
    if (some) {
        EXPECT(size > 1 ? 2 : 1, oops_group_size(some));
        EXPECT(rank == size - 1 ? 0 : 1, oops_group_rank(some));
        EXPECT(size <= 2, oops_group_is_in_group(some, size / 2) && oops_group_is_in_group(some, size - 1));
    }
    GOOD(oops_group_free(some));
    GOOD(oops_group_new(oops_group_comm(g), &again));
    EXPECT(size, oops_group_size(again));
    EXPECT(0, oops_group_comm(again) == oops_group_comm(g));
    GOOD(oops_group_free(again));
}

void check_teams(OopsGroup *g)
{
    for (int teams = 1; teams <= size; teams++) {
        OopsWorkgroup *w;
        int members = 0, mine = 0, sum;
        GOOD(oops_workgroup_new(g, teams, &w));
        for (int p = 0; p < size; p++)
            members += oops_workgroup_is_in_group(w, p);
        EXPECT(members, oops_group_size(oops_workgroup_group(w)));
        EXPECT(1, members == size / teams || members == size / teams + (size % teams > 0));
        EXPECT(1, oops_workgroup_is_in_group(w, rank));
        mine = oops_group_rank(oops_workgroup_group(w)) == 0;
        GOOD(oops_group_sum(g, &mine, &sum, 1, OOPS_INT, OOPS_ALL));
        EXPECT(teams, sum);
        EXPECT(rank == size - 1 ? teams - 1 : oops_workgroup_team(w), oops_workgroup_team(w));
        GOOD(oops_workgroup_free(w));
    }
}
