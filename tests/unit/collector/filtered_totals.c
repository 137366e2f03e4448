/* Totals of filtered operations: rows are found again, surplus operations get into the row for the rest, and a failed
 * flush is undone. */
#include "write/filtered_totals.h"

#include "harness/plain.h"

enum { SEND = 5, RECEIVE = 6, MANY = 3000 };

static void check_rows(void)
{
    HieraSums sums = {0};
    hiera_sums_add(hiera_sums_of_call(&sums, SEND, 1), 100, -1, 7);
    hiera_sums_add(hiera_sums_of_call(&sums, SEND, 2), 1, -1, 1);
    hiera_sums_add(hiera_sums_of_call(&sums, RECEIVE, 1), -1, 0, 2);
    hiera_sums_add(hiera_sums_of_call(&sums, SEND, 1), 11, -1, 3);
    const HieraSumRow *row = hiera_sums_of_call(&sums, SEND, 1);
    EXPECT(2, row->sum.count);
    EXPECT(111, row->sum.sent);
    EXPECT(-1, row->sum.received); /* unknown in all calls */
    EXPECT(10, row->sum.time_ns);
    EXPECT(0, hiera_sums_of_call(&sums, RECEIVE, 1)->sum.received);
    EXPECT(-1, hiera_sums_of_call(&sums, RECEIVE, 1)->sum.sent);
    EXPECT(4, sums.n); /* and the row for the rest */
    hiera_sums_clear(&sums);
    EXPECT(0, sums.n);
}

static void check_regions(void)
{
    HieraSums sums = {0};
    hiera_sums_add(hiera_sums_of_region(&sums, "app", "step"), -1, -1, 4);
    hiera_sums_add(hiera_sums_of_region(&sums, "app", "solve"), -1, -1, 5);
    hiera_sums_add(hiera_sums_of_region(&sums, "lib", "step"), -1, -1, 6);
    hiera_sums_add(hiera_sums_of_region(&sums, "app", "step"), -1, -1, 40);
    const HieraSumRow *row = hiera_sums_of_region(&sums, "app", "step");
    EXPECT(2, row->sum.count);
    EXPECT(44, row->sum.time_ns);
    EXPECT_TEXT("app", row->level);
    EXPECT_TEXT("step", row->level + strlen("app") + 1);
    EXPECT(6, hiera_sums_of_region(&sums, "lib", "step")->sum.time_ns);
    hiera_sums_clear(&sums);
}

/* If there are too many rows, no call is lost: the counts add up to the number of calls. */
static void check_bound(void)
{
    HieraSums sums = {0};
    for (uint32_t i = 0; i < MANY; i++)
        hiera_sums_add(hiera_sums_of_call(&sums, SEND, i), 1, -1, 1);
    for (int i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "r%d", i);
        hiera_sums_add(hiera_sums_of_region(&sums, "app", name), -1, -1, 1);
    }
    uint64_t count = 0;
    for (size_t i = 0; i < sums.n; i++)
        count += sums.rows[i].sum.count;
    EXPECT(2 * MANY, count);
    EXPECT(1, sums.n < MANY);
    EXPECT(1, hiera_sums_of_call(&sums, SEND, 0)->sum.count);
    const HieraSumRow *all_comms = hiera_sums_of_call(&sums, SEND, HIERA_SUM_NO_COMM);
    EXPECT(MANY - (int64_t)(sums.n - 2), all_comms->sum.count); /* each other row has one call */
    EXPECT(MANY, sums.rows[0].sum.count);                       /* there was no room for regions */
    hiera_sums_clear(&sums);
}

static void check_undo(void)
{
    HieraSums sums = {0};
    hiera_sums_add(hiera_sums_of_call(&sums, SEND, 1), 10, -1, 1);
    hiera_sums_keep(&sums);
    hiera_sums_add(hiera_sums_of_call(&sums, SEND, 1), 20, 5, 1);
    hiera_sums_add(hiera_sums_of_call(&sums, RECEIVE, 1), -1, 8, 1);
    hiera_sums_undo(&sums);
    const HieraSum *send = &hiera_sums_of_call(&sums, SEND, 1)->sum,
                   *receive = &hiera_sums_of_call(&sums, RECEIVE, 1)->sum;
    EXPECT(1, send->count);
    EXPECT(10, send->sent);
    EXPECT(-1, send->received);
    EXPECT(0, receive->count);
    hiera_sums_clear(&sums);
}

int main(void)
{
    check_rows();
    check_regions();
    check_bound();
    check_undo();
    return n_failed != 0;
}
