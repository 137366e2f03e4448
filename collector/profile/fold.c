/* See fold.h. Walks over the records of a buffer and adds each to the sums in the thread's call tree. */
#include "fold.h"

#include "base/kept.h"
#include "base/settings.h"
#include "memory/signal_safe_memory.h"
#include "record/region_counters.h"
#include "record/region_names.h"
#include "switch_over.h"
#include "write/filtered_regions.h"
#include "write/level_ops.h"

#include <math.h>

/* Number of ended threads that keep a tree of their own. The trees of all further ones are merged into one. */
enum { ENDED_KEPT = 64 };

bool hiera_profile_is_on(void)
{
    return hiera_settings.mode.is_profile;
}

/* --- begin and end of regions --- */

uint32_t hiera_profile_label(HieraLabels *labels, const HieraRecord *record, bool make)
{
    HieraName *name = ((const HieraRegionRecord *)(const void *)record)->name;
    if (HIERA_UNLIKELY(name->label == 0))
        name->label = hiera_labels_find(labels, name->level, hiera_name_text(name), make);
    return name->label;
}

static uint64_t what_of(HieraProfile *profile, const HieraRecord *record)
{
    if (record->call == HIERA_RECORD_FUNCTION)
        return (uintptr_t)((const HieraFunctionRecord *)(const void *)record)->function;
    return hiera_profile_label(profile->labels, record, profile->n_nodes < HIERA_PROFILE_NODES);
}

static HieraProfileNode *find_region(HieraProfile *profile, HieraProfileNode *parent, const HieraRecord *record)
{
    uint64_t what = what_of(profile, record);
    if (what == 0)
        return hiera_node_find(profile, parent, HIERA_NODE_OTHER, 0, NULL);
    return hiera_node_find(profile, parent, record->call, what, record->site);
}

static void open_region(HieraProfile *profile, const HieraRecord *record)
{
    bool is_kept = record->call != HIERA_RECORD_FILTERED;
    HieraProfileOpen open = {.node = hiera_profile_inside(profile), .start = record->start, .is_filtered = true};
    if (!is_kept && !record->site && profile->holder) /* begins the calls that callbacks of the last MPI call made */
        open.node = profile->holder;
    profile->holder = NULL;
    HieraSumRow *row =
        is_kept ? hiera_region_hide(&profile->sums, record, __atomic_load_n(&record->finish, __ATOMIC_RELAXED)) : NULL;
    if (row) {
        hiera_sums_add(row, -1, -1, 0);
        open.sum = (uint32_t)(row - profile->sums.rows) + 1;
    } else if (is_kept) {
        HieraProfileNode *node = find_region(profile, open.node, record);
        open.is_filtered = !node;
        profile->lost += !node;
        open.node = node ? node : open.node;
    }
    if (!hiera_profile_push(profile, open)) {
        profile->lost += is_kept && !open.is_filtered;
    } else if (!open.is_filtered) {
        hiera_node_begin(open.node, record->start);
        hiera_node_open(open.node, record->start);
    }
}

static void end_region(HieraProfile *profile, uint64_t now)
{
    if (profile->unkept > 0) {
        profile->unkept--;
        return;
    }
    if (profile->n_open == 0)
        return;
    HieraProfileOpen *open = &profile->open[--profile->n_open];
    if (open->frame != 0)
        hiera_switch_over_end_frame(profile, open->frame - 1, now);
    if (open->sum != 0 && now > open->start)
        profile->sums.rows[open->sum - 1].sum.time_ns += (uint64_t)hiera_clock_span_ns(open->start, now);
    if (open->is_filtered)
        return;
    uint64_t ns = now > open->start ? (uint64_t)hiera_clock_span_ns(open->start, now) : 0;
    hiera_profile_adding.calls = open->node->calls;
    hiera_profile_adding.node = open->node;
    open->node->open--;
    hiera_node_end(profile, open->node, hiera_profile_inside(profile), ns, now);
}

/* --- short calls, counters and other records inside a region --- */

static void add_short(HieraProfile *profile, const HieraCountedRecord *record)
{
    HieraProfileNode *parent = hiera_profile_inside(profile);
    HieraProfileNode *node = hiera_node_find(profile, parent, HIERA_RECORD_COUNTED, (uintptr_t)record->function, NULL);
    if (!node) {
        profile->lost += record->count;
        return;
    }
    node->calls += record->count;
    if (node != parent)
        node->time_ns += (uint64_t)hiera_clock_span_ns(record->now - record->ticks, record->now);
}

/* Add values of counters to the open region's node: counts are summed, of gauges the largest value is kept. */
static void add_counters(HieraProfile *profile, const HieraCountersRecord *record)
{
    HieraProfileNode *node = hiera_profile_inside(profile);
    unsigned n = hiera_region_counters.n;
    if (profile->n_open == 0 || profile->unkept > 0 || profile->open[profile->n_open - 1].is_filtered)
        return;
    if (!node->counted && !(node->counted = hiera_memory_new(2 * n * sizeof *node->counted)))
        return;
    for (unsigned i = 0; i < n; i++) {
        double value = record->values[i], *sum = &node->counted[i], *known = &node->counted[n + i];
        if (isnan(value))
            continue;
        if (!hiera_region_counters.counters[i]->is_level)
            *sum += value;
        else if (*known == 0 || value > *sum)
            *sum = value;
        *known = 1;
    }
}

static void add_flush(HieraProfile *profile, uint64_t start, uint64_t finish)
{
    HieraProfileNode *parent = hiera_profile_inside(profile);
    HieraProfileNode *node = hiera_node_find(profile, parent, HIERA_RECORD_FLUSH, 0, NULL);
    if (!node || node->call == HIERA_NODE_OTHER)
        return;
    hiera_node_begin(node, start);
    hiera_node_end(profile, node, parent, (uint64_t)hiera_clock_span_ns(start, finish), finish);
}

static void fold_record(HieraProfile *profile, const HieraRecord *record)
{
    if (HIERA_LIKELY(record->call >= HIERA_RECORD_CALLS)) {
        hiera_level.fold(profile, record);
        return;
    }
    switch (record->call) {
    case HIERA_RECORD_END:
        end_region(profile, record->start);
        break;
    case HIERA_RECORD_REGION:
    case HIERA_RECORD_FUNCTION:
    case HIERA_RECORD_FILTERED:
        open_region(profile, record);
        break;
    case HIERA_RECORD_COUNTED:
        add_short(profile, (const HieraCountedRecord *)(const void *)record);
        break;
    case HIERA_RECORD_COUNTERS:
        add_counters(profile, (const HieraCountersRecord *)(const void *)record);
        break;
    case HIERA_RECORD_FLUSH:
        add_flush(profile, record->start, record->finish);
        break;
    default: /* HIERA_RECORD_VALUES: values of one execution have no sum */
        break;
    }
}

static bool is_in_progress(const HieraRecord *record)
{
    return record->call >= HIERA_RECORD_CALLS && __atomic_load_n(&record->finish, __ATOMIC_ACQUIRE) == 0;
}

/* Return the MPI call in progress, whose record is not added to the tree yet; NULL: there is none. */
static const HieraRecord *in_progress(const HieraThread *thread)
{
    const HieraRecord *record = (const HieraRecord *)(const void *)thread->written;
    return thread->written < __atomic_load_n(&thread->next, __ATOMIC_ACQUIRE) && is_in_progress(record) ? record : NULL;
}

void hiera_profile_show(HieraThread *threads)
{
    for (HieraThread *thread = threads; thread; thread = thread->next_thread) {
        HieraProfile *profile = thread->profile;
        const HieraRecord *record = profile ? in_progress(thread) : NULL;
        if (!record)
            continue;
        profile->shown = hiera_node_find(profile, hiera_profile_inside(profile), record->call, 0, record->site);
        if (!profile->shown)
            continue;
        hiera_node_begin(profile->shown, record->start);
        hiera_node_open(profile->shown, record->start);
    }
}

void hiera_profile_hide(void)
{
    for (HieraProfile *profile = hiera_profiles; profile; profile = profile->next) {
        if (!profile->shown)
            continue;
        profile->shown->calls--;
        profile->shown->open--;
        profile->shown = NULL;
    }
}

/* Count the operations up to `end` as lost, because there is no memory for a tree. */
static void lose(HieraThread *thread, const char *end)
{
    for (; thread->written < end; thread->written += ((const HieraRecord *)(const void *)thread->written)->bytes) {
        uint32_t call = ((const HieraRecord *)(const void *)thread->written)->call;
        thread->lost_unwritten +=
            call >= HIERA_RECORD_CALLS || call == HIERA_RECORD_REGION || call == HIERA_RECORD_FUNCTION;
    }
}

/* Add a record to the tree. *mark is set first, so that the record is not added twice after a fault or signal. */
void hiera_profile_add(HieraProfile *profile, const HieraRecord *record, char **mark)
{
    HieraAdding *adding = &hiera_profile_adding;
    adding->profile = profile;
    adding->mark = mark;
    adding->node = NULL;
    adding->n_open = profile->n_open;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    adding->record = record;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *mark = (char *)(uintptr_t)record + record->bytes;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    fold_record(profile, record);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    adding->record = NULL;
}

void hiera_profile_fold(HieraThread *thread, bool all)
{
    const char *end = __atomic_load_n(&thread->next, __ATOMIC_ACQUIRE);
    if (thread->written < end && !thread->profile && thread->lost_unwritten == 0)
        thread->profile = hiera_profile_new(thread->number);
    if (!thread->profile) {
        lose(thread, end);
        return;
    }
    while (thread->written < end) {
        const HieraRecord *record = (const HieraRecord *)(const void *)thread->written;
        if (!all && thread->written + record->bytes >= end && is_in_progress(record))
            break;
        hiera_profile_add(thread->profile, record, &thread->written);
    }
    hiera_profile_settle(thread->profile);
}

/* --- completing the tree of a process that was killed --- */

static uint64_t ended_calls(const HieraProfileNode *node)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < node->times.n; i++)
        n += node->times.bins[i];
    return n;
}

void hiera_profile_recover(void)
{
    HieraAdding *adding = &hiera_profile_adding;
    if (!adding->record || *adding->mark != (const char *)adding->record + adding->record->bytes)
        return;
    HieraProfileNode *node = adding->node;
    if (node) {
        uint64_t ended = ended_calls(node);
        node->calls = adding->calls;
        node->open = node->calls > ended ? (uint32_t)(node->calls - ended) : 0;
    } else if (adding->profile->n_open == adding->n_open) {
        *adding->mark = (char *)(uintptr_t)adding->record; /* nothing of the record was added, so it is added again */
    }
    adding->record = NULL;
}

uint64_t hiera_profile_last_ns(void)
{
    uint64_t last = 0;
    for (HieraProfile *profile = hiera_profiles; profile; profile = profile->next) {
        hiera_profile_settle(profile);
        for (uint32_t i = 0; i < profile->room_nodes; i++)
            if (profile->nodes[i] && profile->nodes[i]->last_ns > last)
                last = profile->nodes[i]->last_ns;
    }
    return last;
}

void hiera_profile_follow(const char *begin, const char *end)
{
    for (const char *at = begin; at < end; at += ((const HieraRecord *)(const void *)at)->bytes) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        if (record->call >= HIERA_RECORD_CALLS && !is_in_progress(record))
            hiera_level.follow(record);
    }
}

void hiera_profile_add_flush(HieraThread *thread, uint64_t start, uint64_t finish)
{
    if (thread->profile) {
        add_flush(thread->profile, start, finish);
        hiera_profile_settle(thread->profile);
    }
}

/* --- numbers of calls in all trees --- */

uint64_t hiera_profile_calls(const HieraProfile *profile)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < profile->room_nodes; i++)
        if (profile->nodes[i] && profile->nodes[i]->call != HIERA_RECORD_FLUSH &&
            profile->nodes[i]->call != HIERA_RECORD_COUNTED)
            n += profile->nodes[i]->calls;
    return n;
}

uint64_t hiera_profile_operations(void)
{
    uint64_t n = 0;
    for (const HieraProfile *profile = hiera_profiles; profile; profile = profile->next)
        n += hiera_profile_calls(profile);
    return n;
}

uint64_t hiera_profile_lost(void)
{
    uint64_t n = 0;
    for (const HieraProfile *profile = hiera_profiles; profile; profile = profile->next)
        n += profile->lost + profile->lost_messages;
    return n;
}

/* --- the trees of threads that end --- */

static void merge_ended(HieraProfile *profile)
{
    static HieraProfile *ended HIERA_KEPT;
    if (ended || (ended = hiera_profile_new(HIERA_PROFILE_ENDED)))
        hiera_profile_merge(ended, profile);
}

void hiera_profile_end_thread(HieraThread *thread)
{
    static unsigned n_kept;
    HieraProfile *profile = thread->profile;
    thread->profile = NULL;
    if (profile && profile->stream)
        hiera_switch_over_forget(profile);
    else if (!profile || n_kept++ < ENDED_KEPT)
        return;
    else
        merge_ended(profile);
}
