/* Every distribution of 0 to 40 elements over 1 to 8 parts, compared with elements that are dealt out one by one. MPI
 * is not used.
 */
#include "oops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MAX_ = 40, PARTS_MAX = 8 };

/* The part of each element and its index there, found by dealing out, without a formula. */
typedef struct Dealt {
    int part[SIZE_MAX_], local[SIZE_MAX_], count[PARTS_MAX];
} Dealt;

static long compared;

static void expect(const char *what, int size, int parts, int block, int at, int expected, int actual)
{
    compared++;
    if (expected == actual)
        return;
    fprintf(stderr, "%s of %d in %d parts, block %d, at %d: expected %d, actual %d\n", what, size, parts, block, at,
            expected, actual);
    exit(1);
}

/* One element to each part in turn gives the sizes of the parts. The parts are contiguous. */
static Dealt deal_blocks(int size, int parts)
{
    Dealt dealt;
    int g = 0;
    memset(&dealt, 0, sizeof dealt);
    for (int i = 0; i < size; i++)
        dealt.count[i % parts]++;
    for (int p = 0; p < parts; p++)
        for (int i = 0; i < dealt.count[p]; i++, g++) {
            dealt.part[g] = p;
            dealt.local[g] = i;
        }
    return dealt;
}

static Dealt deal_in_turn(int size, int parts, int block)
{
    Dealt dealt;
    int p = 0, left = block;
    memset(&dealt, 0, sizeof dealt);
    for (int g = 0; g < size; g++) {
        if (left == 0) {
            p = (p + 1) % parts;
            left = block;
        }
        left--;
        dealt.part[g] = p;
        dealt.local[g] = dealt.count[p]++;
    }
    return dealt;
}

static void compare(OopsDistribution *d, const Dealt *dealt, int size, int parts, int block)
{
    for (int p = 0; p < parts; p++)
        expect("localSize", size, parts, block, p, dealt->count[p], oops_distribution_local_size(d, p));
    for (int g = 0; g < size; g++) {
        int part = -9, local = -9;
        expect("globalToLocal", size, parts, block, g, 0, oops_distribution_global_to_local(d, g, &part, &local));
        expect("part", size, parts, block, g, dealt->part[g], part);
        expect("local", size, parts, block, g, dealt->local[g], local);
        expect("localToGlobal", size, parts, block, g, g, oops_distribution_local_to_global(d, part, local));
    }
    expect("size", size, parts, block, 0, size, oops_distribution_size(d));
    expect("parts", size, parts, block, 0, parts, oops_distribution_parts(d));
}

/* Parts and elements that do not exist are refused. */
static void refuse(OopsDistribution *d, int size, int parts, int block)
{
    int part, local;
    const int no = OOPS_ERR_RANGE;
    expect("localSize", size, parts, block, -1, no, oops_distribution_local_size(d, -1));
    expect("localSize", size, parts, block, parts, no, oops_distribution_local_size(d, parts));
    expect("globalToLocal", size, parts, block, -1, no, oops_distribution_global_to_local(d, -1, &part, &local));
    expect("globalToLocal", size, parts, block, size, no, oops_distribution_global_to_local(d, size, &part, &local));
    for (int p = 0; p < parts; p++) {
        int end = oops_distribution_local_size(d, p);
        expect("localToGlobal", size, parts, block, end, no, oops_distribution_local_to_global(d, p, end));
        expect("localToGlobal", size, parts, block, -1, no, oops_distribution_local_to_global(d, p, -1));
    }
}

static void check_none(int size, int parts)
{
    OopsDistribution *d;
    int part = 0, local = 0;
    expect("none", size, parts, 0, 0, 0, oops_distribution_none_new(size, parts, &d));
    for (int p = 0; p < parts; p++) {
        expect("localSize", size, parts, 0, p, size, oops_distribution_local_size(d, p));
        for (int i = 0; i < size; i++)
            expect("localToGlobal", size, parts, 0, i, i, oops_distribution_local_to_global(d, p, i));
    }
    for (int g = 0; g < size; g++) {
        expect("globalToLocal", size, parts, 0, g, 0, oops_distribution_global_to_local(d, g, &part, &local));
        expect("part", size, parts, 0, g, OOPS_ALL, part);
        expect("local", size, parts, 0, g, g, local);
    }
    refuse(d, size, parts, 0);
    oops_distribution_free(d);
}

static void check_blocked(int size, int parts)
{
    OopsDistribution *d;
    Dealt dealt = deal_blocks(size, parts);
    expect("blocked", size, parts, 0, 0, 0, oops_distribution_blocked_new(size, parts, &d));
    compare(d, &dealt, size, parts, 0);
    refuse(d, size, parts, 0);
    oops_distribution_free(d);
}

static void check_cyclic(int size, int parts, int block)
{
    OopsDistribution *d;
    Dealt dealt = deal_in_turn(size, parts, block);
    expect("cyclic", size, parts, block, 0, 0, oops_distribution_cyclic_new(size, parts, block, &d));
    compare(d, &dealt, size, parts, block);
    refuse(d, size, parts, block);
    oops_distribution_free(d);
}

static void check_constructors(void)
{
    OopsDistribution *d = (OopsDistribution *)&compared;
    expect("size below 0", -1, 1, 0, 0, OOPS_ERR_RANGE, oops_distribution_blocked_new(-1, 1, &d));
    expect("NULL after an error", -1, 1, 0, 0, 1, d == NULL);
    expect("no part", 1, 0, 0, 0, OOPS_ERR_RANGE, oops_distribution_none_new(1, 0, &d));
    expect("no block", 1, 1, 0, 0, OOPS_ERR_RANGE, oops_distribution_cyclic_new(1, 1, 0, &d));
    expect("nowhere", 1, 1, 0, 0, OOPS_ERR_OBJECT, oops_distribution_blocked_new(1, 1, NULL));
    expect("of nothing", 0, 0, 0, 0, OOPS_ERR_OBJECT, oops_distribution_local_size(NULL, 0));
    expect("free of NULL", 0, 0, 0, 0, OOPS_SUCCESS, oops_distribution_free(NULL));
}

/* Sizes near the largest int do not overflow. */
static void check_huge(void)
{
    OopsDistribution *d;
    const int size = 2147483647, parts = 7;
    int part, local;
    expect("cyclic", size, parts, 1000, 0, 0, oops_distribution_cyclic_new(size, parts, 1000, &d));
    expect("globalToLocal", size, parts, 1000, 0, 0, oops_distribution_global_to_local(d, size - 1, &part, &local));
    expect("last", size, parts, 1000, 0, size - 1, oops_distribution_local_to_global(d, part, local));
    oops_distribution_free(d);
    expect("blocked", size, parts, 0, 0, 0, oops_distribution_blocked_new(size, parts, &d));
    expect("globalToLocal", size, parts, 0, 0, 0, oops_distribution_global_to_local(d, size - 1, &part, &local));
    expect("part", size, parts, 0, 0, parts - 1, part);
    expect("last", size, parts, 0, 0, size - 1, oops_distribution_local_to_global(d, part, local));
    oops_distribution_free(d);
}

int main(void)
{
    for (int size = 0; size <= SIZE_MAX_; size++)
        for (int parts = 1; parts <= PARTS_MAX; parts++) {
            check_none(size, parts);
            check_blocked(size, parts);
            for (int block = 1; block <= 7; block++)
                check_cyclic(size, parts, block);
            check_cyclic(size, parts, 50);
        }
    check_constructors();
    check_huge();
    printf("%ld answers as expected\n", compared);
    return 0;
}
