/* Records of a buffer become sums with known answers; and the trees of two threads become one. What the rest of the
 * collector does is played by the test: each MPI call has its call site as its duration in nanoseconds, and a filter
 * hides one region. */
#include "profile/fold.h"

#include "base/settings.h"
#include "harness/plain.h"
#include "profile/awaited.h"
#include "profile/switch_over.h"
#include "record/region_counters.h"
#include "record/region_names.h"
#include "write/filtered_regions.h"
#include "write/level_ops.h"

#include <stdlib.h>

HieraSettings hiera_settings;
HieraCounterSet hiera_region_counters;

enum { NS = 1000 }; /* from one record to the next */

static char buffer[64 << 10];
static HieraThread thread;
static uint64_t now;

static void fold_call(HieraProfile *profile, const HieraRecord *record)
{
    HieraProfileNode *parent = hiera_profile_inside(profile),
                     *node = hiera_node_find(profile, parent, record->call, 0, record->site);
    hiera_node_begin(node, record->start);
    if (record->finish != 0)
        hiera_node_end(profile, node, parent, (uint64_t)hiera_clock_span_ns(record->start, record->finish),
                       record->finish);
    else
        hiera_node_open(node, record->start);
}

const HieraLevelOps hiera_level = {.fold = fold_call};

HieraSumRow *hiera_region_hide(HieraSums *sums, const HieraRecord *record, uint64_t finish)
{
    const char *name = record->call == HIERA_RECORD_REGION
                           ? hiera_name_text(((const HieraRegionRecord *)(const void *)record)->name)
                           : "";
    (void)finish;
    return strcmp(name, "hidden") == 0 ? hiera_sums_of_region(sums, "app", name) : NULL;
}

void hiera_switch_over_end_frame(HieraProfile *profile, uint32_t frame, uint64_t ticks)
{
    (void)profile, (void)frame, (void)ticks;
}

void hiera_switch_over_forget(HieraProfile *profile)
{
    (void)profile;
}

static void *put(size_t bytes, uint32_t call)
{
    HieraRecord *record = (HieraRecord *)(void *)thread.next;
    memset(record, 0, bytes);
    record->bytes = (uint32_t)bytes;
    record->call = call;
    record->start = now += NS;
    thread.next += bytes;
    return record;
}

static void call(uint32_t number, uintptr_t site, bool ends)
{
    HieraRecord *record = put(sizeof *record, HIERA_RECORD_CALLS + number);
    record->site = (const void *)site;
    record->finish = ends ? record->start + site : 0;
}

static HieraName *name_of(const char *name)
{
    HieraName *made = calloc(1, sizeof *made + 64);
    made->level_length = 3;
    made->name_length = (uint16_t)strlen(name);
    memcpy(made->level, "app", 4);
    strcpy(made->level + 4, name);
    return made;
}

static void begin(HieraName *name)
{
    HieraRegionRecord *record = put(sizeof *record, HIERA_RECORD_REGION);
    record->name = name;
    record->head.site = (const void *)(uintptr_t)99;
}

static void end(void)
{
    put(HIERA_END_BYTES, HIERA_RECORD_END);
}

static void empty(void)
{
    thread.base = thread.written = thread.next = buffer;
}

static void start_thread(unsigned number)
{
    thread = (HieraThread){.number = number};
    empty();
}

/* Two turns of a loop, a flush in the second one; the names of regions are other copies then. */
static void put_loop(void)
{
    for (int turn = 0; turn < 2; turn++) {
        begin(name_of("step"));
        call(1, 100, true);
        call(1, 100, true);
        call(2, 7, true);
        begin(name_of("hidden"));
        call(1, 50, true);
        if (turn == 1) {
            hiera_profile_fold(&thread, true);
            empty();
        }
        end();
        end();
    }
}

static const HieraProfileNode *child(const HieraProfileNode *parent, int i)
{
    const HieraProfileNode *node = parent->first;
    while (i-- > 0 && node)
        node = node->next;
    return node;
}

static void check_loop(void)
{
    start_thread(0);
    put_loop();
    hiera_profile_fold(&thread, true);
    const HieraProfileNode *step = child(&thread.profile->root, 0);
    EXPECT(1, thread.profile->root.first == thread.profile->root.last);
    EXPECT(2, step->calls);
    EXPECT(0, step->open);
    EXPECT(2 * 7 * NS, step->time_ns);
    EXPECT(7 * NS, step->min_ns);
    EXPECT(7 * NS, step->max_ns);
    const HieraProfileNode *one = child(step, 0), *two = child(step, 1), *inside = child(step, 2);
    EXPECT(4, one->calls);
    EXPECT(400, one->time_ns);
    EXPECT(2, two->calls);
    EXPECT(14, two->time_ns);
    EXPECT(2, inside->calls); /* in the hidden region: its parent has it */
    EXPECT(100, inside->time_ns);
    EXPECT(1, inside->next == NULL);
    EXPECT(2, hiera_sums_of_region(&thread.profile->sums, "app", "hidden")->sum.count);
    EXPECT(2 * 2 * NS, hiera_sums_of_region(&thread.profile->sums, "app", "hidden")->sum.time_ns);
    EXPECT(1, thread.written == thread.next);
    hiera_profile_free(thread.profile);
}

static void check_open(void)
{
    start_thread(0);
    begin(name_of("open"));
    call(1, 10, true);
    call(3, 20, false); /* left by longjmp: another record follows */
    call(3, 20, true);
    call(4, 30, false); /* in progress */
    hiera_profile_fold(&thread, false);
    HieraProfile *profile = thread.profile;
    const HieraProfileNode *open = child(&profile->root, 0), *left = child(open, 1);
    EXPECT(1, open->open);
    EXPECT(2, left->calls);
    EXPECT(1, left->open);
    EXPECT(20, left->time_ns);
    EXPECT(1, child(open, 2) == NULL);
    hiera_profile_show(&thread);
    EXPECT(1, child(open, 2)->calls);
    EXPECT(1, child(open, 2)->open);
    hiera_profile_hide();
    EXPECT(0, child(open, 2)->calls + child(open, 2)->open);
    ((HieraRecord *)(void *)thread.written)->finish = now + 30; /* it has gone on */
    end();
    hiera_profile_fold(&thread, true);
    EXPECT(1, child(open, 2)->calls);
    EXPECT(30, child(open, 2)->time_ns);
    EXPECT(0, open->open);
    hiera_profile_free(profile);
}

/* Functions that were too short, and time spent on a full buffer. */
static void check_notes(void)
{
    start_thread(0);
    begin(name_of("around"));
    for (int i = 0; i < 2; i++) {
        HieraCountedRecord *record = put(sizeof *record, HIERA_RECORD_COUNTED);
        *record = (HieraCountedRecord){sizeof *record, HIERA_RECORD_COUNTED, (const void *)(uintptr_t)5, 10, 300, now};
    }
    hiera_profile_fold(&thread, true);
    hiera_profile_add_flush(&thread, now, now + 40);
    hiera_profile_add_flush(&thread, now + 50, now + 60);
    const HieraProfileNode *around = child(&thread.profile->root, 0);
    EXPECT(HIERA_RECORD_COUNTED, child(around, 0)->call);
    EXPECT(20, child(around, 0)->calls);
    EXPECT(600, child(around, 0)->time_ns);
    EXPECT(HIERA_RECORD_FLUSH, child(around, 1)->call);
    EXPECT(2, child(around, 1)->calls);
    EXPECT(50, child(around, 1)->time_ns);
    hiera_profile_free(thread.profile);
}

static HieraProfile *profile_of_thread(unsigned number)
{
    start_thread(number);
    put_loop();
    begin(name_of(number == 1 ? "first" : "second"));
    hiera_profile_fold(&thread, true);
    return thread.profile;
}

static void check_merge(void)
{
    HieraProfile *to = profile_of_thread(1), *from = profile_of_thread(2);
    const HieraProfileNode *send = child(child(&from->root, 0), 1);
    hiera_awaited_put(&(HieraAwaited){
        .number = 1, .sort = HIERA_AWAITED_REQUEST, .profile = from, .node = (HieraProfileNode *)(uintptr_t)send});
    hiera_part_find(to, (HieraProfileNode *)(uintptr_t)child(child(&to->root, 0), 1),
                    (HieraPartKey){1, 2, HIERA_PART_WAY_ONLY})
        ->calls = 3;
    hiera_part_find(from, (HieraProfileNode *)(uintptr_t)send, (HieraPartKey){1, 2, HIERA_PART_WAY_ONLY})->calls = 4;
    hiera_profile_merge(to, from);
    const HieraProfileNode *step = child(&to->root, 0), *two = child(step, 1);
    EXPECT(4, step->calls);
    EXPECT(4 * 7 * NS, step->time_ns);
    EXPECT(8, child(step, 0)->calls);
    EXPECT(7, two->first_part->calls);
    EXPECT(1, two->first_part->next == NULL);
    EXPECT(1, hiera_awaited_find(HIERA_AWAITED_REQUEST, 1)->node == two);
    EXPECT(1, hiera_awaited_find(HIERA_AWAITED_REQUEST, 1)->profile == to);
    EXPECT(1, child(&to->root, 1)->open); /* "first" */
    EXPECT(1, child(&to->root, 2)->open); /* "second" */
    EXPECT(4, hiera_sums_of_region(&to->sums, "app", "hidden")->sum.count);
    EXPECT(1, hiera_profiles == to && !to->next);
}

static void check_waits(void)
{
    HieraProfileWaits *to = NULL, *from = NULL;
    hiera_waits_add(&from, 0, 7, 1);
    hiera_waits_add(&from, 100, 0, 2);
    hiera_waits_merge(&to, NULL);
    EXPECT(1, to == NULL);
    hiera_waits_merge(&to, from);
    hiera_waits_merge(&to, from);
    EXPECT(4, to->members.calls);
    EXPECT(2, to->members.count);
    EXPECT(200, to->members.time_ns);
    EXPECT(0, to->members.min_ns);
    EXPECT(100, to->members.max_ns);
    EXPECT(14, to->completion.time_ns);
    EXPECT(6, to->exchange_ns);
    EXPECT(2, to->members.times.bins[0 - to->members.times.first]);
    hiera_waits_free(to);
    hiera_waits_free(from);
}

int main(void)
{
    hiera_clock_start("auto");
    now = HIERA_TICKS_ARE_NS | (hiera_clock_monotonic_ns() + NS); /* ticks are nanoseconds */
    check_loop();
    check_open();
    check_notes();
    check_merge();
    check_waits();
    return n_failed != 0;
}
