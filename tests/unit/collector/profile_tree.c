/* The tree of a profile: nodes are found again, histograms and times have known values, what has no room goes into the
 * node and the part for the rest; and what requests wait for. */
#include "profile/awaited.h"

#include "harness/plain.h"
#include "record/region_counters.h"

HieraCounterSet hiera_region_counters;

enum { SEND = HIERA_RECORD_CALLS + 1, WAIT, MANY = 6000, PEERS = 1500 };

static const char sites[MANY];

static HieraProfileNode *call(HieraProfile *profile, HieraProfileNode *parent, uint32_t number, size_t site,
                              uint64_t ns)
{
    HieraProfileNode *node = hiera_node_find(profile, parent, number, 0, &sites[site]);
    hiera_node_begin(node, 1);
    hiera_node_end(profile, node, parent, ns, 2);
    return node;
}

static uint64_t in_bin(const HieraSpread *spread, unsigned bin)
{
    return bin >= spread->first && bin < spread->first + spread->n ? spread->bins[bin - spread->first] : 0;
}

static void check_spread(void)
{
    static const uint64_t values[] = {1000, 1023, 1024, 0, 1, UINT64_MAX};
    HieraSpread spread = {0};
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        hiera_spread_add(&spread, hiera_spread_bin(values[i]), 1);
    for (unsigned i = 0; i < HIERA_SPREAD_BINS; i++)
        sum += in_bin(&spread, i);
    EXPECT(6, sum);
    EXPECT(1, in_bin(&spread, 0));
    EXPECT(1, in_bin(&spread, 1));
    EXPECT(2, in_bin(&spread, 10)); /* 512 … 1023 */
    EXPECT(1, in_bin(&spread, 11));
    EXPECT(1, in_bin(&spread, 64));
    hiera_spread_free(&spread);
    hiera_spread_add(&spread, 12, 5);
    EXPECT(1, spread.n <= 8); /* few bins need little memory */
    EXPECT(5, in_bin(&spread, 12));
    hiera_spread_free(&spread);
}

static void check_nodes(void)
{
    HieraProfile *profile = hiera_profile_new(0);
    HieraProfileNode *send = call(profile, &profile->root, SEND, 1, 100),
                     *other = call(profile, &profile->root, WAIT, 2, 7);
    EXPECT(1, call(profile, &profile->root, SEND, 1, 300) == send);
    EXPECT(1, call(profile, send, SEND, 1, 5) != send); /* another parent */
    EXPECT(1, call(profile, &profile->root, SEND, 3, 9) != send);
    EXPECT(2, send->calls);
    EXPECT(400, send->time_ns);
    EXPECT(100, send->min_ns);
    EXPECT(300, send->max_ns);
    EXPECT(1, in_bin(&send->times, 7));
    EXPECT(1, in_bin(&send->times, 9));
    EXPECT(1, send->next == other);
    hiera_profile_free(profile);
}

static void check_rest(void)
{
    HieraProfile *profile = hiera_profile_new(0);
    uint64_t calls = 0, ns = 0;
    for (size_t i = 0; i < MANY; i++)
        call(profile, &profile->root, SEND, i, 10);
    EXPECT(HIERA_PROFILE_NODES, profile->n_nodes);
    HieraProfileNode *rest = profile->root.last;
    EXPECT(1, rest->call == HIERA_NODE_OTHER);
    EXPECT(MANY - HIERA_PROFILE_NODES, rest->calls);
    EXPECT(1, hiera_node_find(profile, rest, WAIT, 0, sites) == rest); /* what is inside the rest is the rest */
    call(profile, rest, WAIT, 0, 1000);
    EXPECT(10 * (MANY - HIERA_PROFILE_NODES), rest->time_ns); /* its time is in that of the call around it */
    for (const HieraProfileNode *node = profile->root.first; node; node = node->next) {
        calls += node->calls;
        ns += node->time_ns;
    }
    EXPECT(MANY + 1, calls);
    EXPECT(10 * MANY, ns);
    hiera_profile_free(profile);
}

static void check_parts(void)
{
    HieraProfile *profile = hiera_profile_new(0);
    HieraProfileNode *node = call(profile, &profile->root, SEND, 1, 1);
    uint64_t calls = 0, n = 0;
    for (int round = 0; round < 2; round++)
        for (int32_t peer = 0; peer < PEERS; peer++)
            hiera_part_find(profile, node, (HieraPartKey){1, peer, HIERA_PART_WAY_ONLY})->calls++;
    for (const HieraProfilePart *part = node->first_part; part; part = part->next, n++)
        calls += part->calls;
    EXPECT(HIERA_PROFILE_PARTS + 1, n);
    EXPECT(2 * PEERS, calls);
    EXPECT(2, node->first_part->calls);
    EXPECT(2 * (PEERS - HIERA_PROFILE_PARTS), node->last_part->calls);
    EXPECT(HIERA_PART_WAY_OTHER, node->last_part->key.way);
    hiera_profile_free(profile);
}

static void check_labels(void)
{
    HieraLabels labels = {0};
    char name[16];
    EXPECT(0, hiera_labels_find(&labels, "app", "step", false));
    EXPECT(1, hiera_labels_find(&labels, "app", "step", true));
    EXPECT(2, hiera_labels_find(&labels, "appstep", "", true));
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "r%d", i);
        hiera_labels_find(&labels, "app", name, true);
    }
    EXPECT(1, hiera_labels_find(&labels, "app", "step", false));
    EXPECT(52, hiera_labels_find(&labels, "app", "r49", false));
    EXPECT_TEXT("r49", hiera_label_name(hiera_label(&labels, 52)));
    hiera_labels_free(&labels);
}

/* Entries are found after others were taken from between them. */
static void check_awaited(void)
{
    HieraAwaited found;
    for (uint32_t i = 1; i <= 1000; i++)
        hiera_awaited_put(&(HieraAwaited){.number = i, .sort = HIERA_AWAITED_REQUEST, .peer = (int32_t)i});
    for (uint32_t i = 1; i <= 1000; i += 2)
        EXPECT(1, hiera_awaited_take(HIERA_AWAITED_REQUEST, i, NULL));
    for (uint32_t i = 1; i <= 1000; i++) {
        const HieraAwaited *awaited = hiera_awaited_find(HIERA_AWAITED_REQUEST, i);
        EXPECT(i % 2 == 0, awaited && awaited->peer == (int32_t)i);
    }
    EXPECT(0, hiera_awaited_find(HIERA_AWAITED_MESSAGE, 2) != NULL);
    hiera_awaited_put(&(HieraAwaited){.number = 7, .sort = HIERA_AWAITED_EARLY, .bytes = 1});
    hiera_awaited_put(&(HieraAwaited){.number = 7, .sort = HIERA_AWAITED_EARLY, .bytes = 2});
    EXPECT(1, hiera_awaited_take(HIERA_AWAITED_EARLY, 7, &found));
    int64_t first = found.bytes;
    EXPECT(1, hiera_awaited_take(HIERA_AWAITED_EARLY, 7, &found));
    EXPECT(3, first + found.bytes);
    EXPECT(0, hiera_awaited_take(HIERA_AWAITED_EARLY, 7, &found));
}

int main(void)
{
    hiera_clock_start("auto");
    check_spread();
    check_nodes();
    check_rest();
    check_parts();
    check_labels();
    check_awaited();
    return n_failed != 0;
}
