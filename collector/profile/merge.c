/* See fold.h. Adds the tree of a thread that has ended to another tree. */
#include "awaited.h"
#include "fold.h"
#include "memory/signal_safe_memory.h"
#include "record/region_counters.h"

#include <string.h>

/* Return the node of `to` to which a node of the merged tree was added. It is stored in `after`, which is not needed
 * any more. */
static HieraProfileNode *place_in_other(const HieraProfileNode *node)
{
    return node->after;
}

static void add_counted(HieraProfileNode *to, const HieraProfileNode *from)
{
    unsigned n = hiera_region_counters.n;
    if (!from->counted || (!to->counted && !(to->counted = hiera_memory_new(2 * n * sizeof *to->counted))))
        return;
    for (unsigned i = 0; i < n; i++) {
        if (from->counted[n + i] == 0)
            continue;
        if (!hiera_region_counters.counters[i]->is_level)
            to->counted[i] += from->counted[i];
        else if (to->counted[n + i] == 0 || from->counted[i] > to->counted[i])
            to->counted[i] = from->counted[i];
        to->counted[n + i] = 1;
    }
}

static void add_times(HieraProfileNode *to, const HieraProfileNode *from)
{
    if (from->calls > 0 && (to->calls == 0 || from->first_ns < to->first_ns))
        to->first_ns = from->first_ns;
    to->last_ns = from->last_ns > to->last_ns ? from->last_ns : to->last_ns;
    to->min_ns = from->min_ns < to->min_ns ? from->min_ns : to->min_ns;
    to->max_ns = from->max_ns > to->max_ns ? from->max_ns : to->max_ns;
    to->time_ns += from->time_ns;
    hiera_spread_merge(&to->times, &from->times);
}

static void add_parts(HieraProfile *profile, HieraProfileNode *to, const HieraProfileNode *from)
{
    for (const HieraProfilePart *part = from->first_part; part; part = part->next) {
        HieraProfilePart *sum = hiera_part_search(profile, to, part->key);
        if (!sum)
            continue;
        sum->calls += part->calls;
        sum->time_ns += part->time_ns;
        sum->has_time = sum->has_time || part->has_time;
        hiera_bytes_add(&sum->sent, part->sent);
        hiera_bytes_add(&sum->received, part->received);
    }
}

static void add_node(HieraProfile *profile, HieraProfileNode *to, const HieraProfileNode *from)
{
    add_times(to, from);
    to->calls += from->calls;
    to->open += from->open;
    to->missed += from->missed;
    to->failed += from->failed;
    to->left += from->left;
    hiera_bytes_add(&to->sent, from->sent);
    hiera_bytes_add(&to->received, from->received);
    hiera_spread_merge(&to->sizes, &from->sizes);
    hiera_waits_merge(&to->waits, from->waits);
    add_counted(to, from);
    add_parts(profile, to, from);
}

static HieraProfileNode *find_in(HieraProfile *to, const HieraProfile *from, const HieraProfileNode *node)
{
    uint64_t what = node->what;
    if (node->call == HIERA_RECORD_REGION && what != 0) {
        const HieraLabel *label = hiera_label(from->labels, (uint32_t)what);
        what = hiera_labels_find(to->labels, label->level, hiera_label_name(label), to->n_nodes < HIERA_PROFILE_NODES);
    }
    bool is_rest = node->call == HIERA_RECORD_REGION && what == 0;
    return is_rest ? hiera_node_search(to, node->parent->after, HIERA_NODE_OTHER, 0, NULL)
                   : hiera_node_search(to, node->parent->after, node->call, what, node->site);
}

/* Return the next node of the tree, in an order in which parents come before their children. */
static HieraProfileNode *next_node(HieraProfileNode *node)
{
    if (node->first)
        return node->first;
    while (node && !node->next)
        node = node->parent;
    return node ? node->next : NULL;
}

static void add_sums(HieraSums *to, const HieraSums *from)
{
    for (size_t i = 0; i < from->n; i++) {
        const HieraSumRow *row = &from->rows[i];
        HieraSumRow *sum = row->level ? hiera_sums_of_region(to, row->level, row->level + strlen(row->level) + 1)
                                      : hiera_sums_of_call(to, row->call, row->comm);
        if (!sum || row->sum.count == 0)
            continue;
        sum->sum.count += row->sum.count;
        sum->sum.time_ns += row->sum.time_ns;
        hiera_bytes_add(&sum->sum.sent, row->sum.sent);
        hiera_bytes_add(&sum->sum.received, row->sum.received);
    }
}

void hiera_profile_merge(HieraProfile *to, HieraProfile *from)
{
    from->root.after = &to->root;
    for (HieraProfileNode *node = from->root.first; node; node = next_node(node)) {
        node->after = find_in(to, from, node);
        if (node->after) {
            add_node(to, node->after, node);
        } else {
            to->lost += node->calls;
            node->after = node->parent->after;
        }
    }
    hiera_awaited_move(from, to, place_in_other);
    add_sums(&to->sums, &from->sums);
    to->lost += from->lost;
    to->lost_messages += from->lost_messages;
    hiera_profile_free(from);
}
