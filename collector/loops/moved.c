#include "moved.h"

#include "base/proc_maps.h"
#include "breakpoints.h"
#include "stop_threads.h"
#include "timing.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { PAGE = 4096 };

static const char not_changed[] = "the system does not let its code be changed";
static const char changed_already[] = "its code in memory is not what it was";

/* --- free memory near the code --- */

/* Jumps reach 2 GB: copies are at most REACH from the file's begin, which leaves room for the size of the file. */
enum { REACH = 1 << 30, DISTANCE = 1 << 20 };

typedef struct Gap {
    uintptr_t base, bytes, end; /* file's begin; number of bytes needed; end of the previous mapping */
    uintptr_t found;
} Gap;

/* Visit the gap before a mapping. The best gap is the nearest one below the file: above it the heap may grow. `end` is
 * 0 before the first mapping; the kernel refuses the lowest addresses. */
static bool look_at_gap(const HieraMapping *mapping, void *data)
{
    Gap *gap = data;
    uintptr_t begin = mapping->begin;
    uintptr_t room = gap->end > 0 || begin > REACH ? begin - gap->end : begin > 16 * PAGE ? begin - 16 * PAGE : 0;
    bool is_below = begin <= gap->base;
    if (room >= gap->bytes + 2 * PAGE) {
        uintptr_t space = room > gap->bytes + 2 * (uintptr_t)DISTANCE ? DISTANCE : PAGE;
        uintptr_t at = is_below ? begin - space - gap->bytes : gap->end + space;
        uintptr_t distance = at < gap->base ? gap->base - at : at - gap->base;
        if (distance < REACH && (is_below || gap->found == 0))
            gap->found = at & ~(uintptr_t)(PAGE - 1);
    }
    gap->end = mapping->end;
    return false;
}

static void *map_near(uintptr_t base, size_t bytes)
{
    Gap gap = {.base = base, .bytes = bytes};
    hiera_maps_walk_places(look_at_gap, &gap);
    if (gap.found == 0)
        return NULL;
    void *area = mmap((void *)gap.found, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (area != MAP_FAILED && area != (void *)gap.found) { /* Linux before 4.17 takes MAP_FIXED_NOREPLACE as a hint */
        munmap(area, bytes);
        area = MAP_FAILED;
    }
    return area == MAP_FAILED ? NULL : area;
}

/* --- is the code in memory as expected? --- */

/* Open this process's memory as a file, since reading it so does no harm if a library has been unloaded. */
static int open_memory(void)
{
    return open("/proc/self/mem", O_RDWR | O_CLOEXEC);
}

static bool has_bytes(int memory, uintptr_t at, const void *bytes, size_t n)
{
    char there[4096];
    for (size_t done = 0; done < n;) {
        size_t part = n - done < sizeof there ? n - done : sizeof there;
        if (pread(memory, there, part, (off_t)(at + done)) != (ssize_t)part ||
            memcmp(there, (const char *)bytes + done, part) != 0)
            return false;
        done += part;
    }
    return true;
}

/* Whether the code in memory has the bytes that the plan has from the file. */
static bool has_originals(const HieraMoved *moved)
{
    const HieraPlanRange *ranges = hiera_plan_part(moved->plan, moved->plan->ranges);
    int memory = open_memory();
    bool good = memory >= 0;
    for (uint32_t i = 0; good && i < moved->plan->ranges.n; i++)
        good = has_bytes(memory, moved->base + ranges[i].offset, (const char *)moved->plan + ranges[i].at, ranges[i].n);
    if (memory >= 0)
        close(memory);
    return good;
}

/* --- putting copies of functions into memory --- */

static bool put_32(char *to, int64_t value)
{
    int32_t number = (int32_t)value;
    memcpy(to, &number, sizeof number);
    return value == number;
}

static char *frames_of(const HieraMoved *moved)
{
    return moved->area + ((moved->plan->area.n + 15u) & ~15u);
}

static uint32_t event_of(const HieraMovedContext *context, const HieraPlanFixup *fixup)
{
    uint32_t kind = fixup->end % HIERA_PLAN_SITE, site = fixup->end - kind;
    uint32_t first = kind >= HIERA_PLAN_LOOP_IN ? context->first_loop : context->first_function;
    return hiera_plan_event(kind, first + (uint32_t)fixup->target + site);
}

static int64_t local_of(const HieraMovedContext *context, const HieraPlanFixup *fixup)
{
    uint32_t function = context->first_function + (uint32_t)fixup->target;
    int64_t at = (context->first_loop + (uint32_t)fixup->target) % HIERA_TIMED_SLOTS;
    if (fixup->end == HIERA_PLAN_START || fixup->end == HIERA_PLAN_CALLS)
        at = fixup->target;
    else if (fixup->end == HIERA_PLAN_GATES)
        at = function < HIERA_TIMED_GATES ? function : 0;
    int64_t bytes = fixup->end == HIERA_PLAN_COUNT || fixup->end == HIERA_PLAN_START ? 8 : 4;
    return context->locals[fixup->end] + bytes * at;
}

static bool fix(const HieraMoved *moved, const HieraPlanFixup *fixup, const HieraMovedContext *context)
{
    char *at = moved->area + fixup->at;
    uint64_t address;
    switch (fixup->kind) {
    case HIERA_PLAN_FILE_32:
        return put_32(at, (int64_t)(moved->base + (uintptr_t)(intptr_t)fixup->target) -
                              (int64_t)(uintptr_t)(moved->area + fixup->end));
    case HIERA_PLAN_EVENT_32:
        return put_32(at, (int64_t)event_of(context, fixup));
    case HIERA_PLAN_LOCAL_32:
        return put_32(at, local_of(context, fixup));
    default:
        address = (uintptr_t)moved->area + (uint32_t)fixup->target;
        memcpy(frames_of(moved) + fixup->at, &address, sizeof address);
        return true;
    }
}

/* Register the unwind information of the copies with libgcc, which throws exceptions. It may otherwise be loaded only
 * later, so it is loaded here. The first search allocates memory, which must not happen in a handler of signals that
 * unwinds: so it is made here, too. */
static void tell_frames(const HieraMoved *moved, const char *function)
{
    void *unwinder = dlopen("libgcc_s.so.1", RTLD_LAZY | RTLD_GLOBAL), *bases[3];
    void (*tell)(void *) = unwinder ? (void (*)(void *))(uintptr_t)dlsym(unwinder, function) : NULL;
    void *(*find)(void *, void *) =
        unwinder ? (void *(*)(void *, void *))(uintptr_t)dlsym(unwinder, "_Unwind_Find_FDE") : NULL;
    if (tell)
        tell(frames_of(moved));
    if (find)
        find(moved->area, bases);
}

const char *hiera_moved_place(HieraMoved *moved, const HieraPlan *plan, uintptr_t base,
                              const HieraMovedContext *context)
{
    const HieraPlanFixup *fixups = hiera_plan_part(plan, plan->fixups);
    size_t bytes = (((plan->area.n + 15u) & ~15u) + plan->frames.n + PAGE - 1) & ~(size_t)(PAGE - 1);
    *moved = (HieraMoved){.plan = plan, .base = base, .area_bytes = bytes};
    if (!has_originals(moved))
        return "its code in memory is not that of its file";
    moved->area = map_near(base, bytes);
    if (!moved->area)
        return "there is no free memory near its code";
    memcpy(moved->area, hiera_plan_part(plan, plan->area), plan->area.n);
    memcpy(frames_of(moved), hiera_plan_part(plan, plan->frames), plan->frames.n);
    memcpy(moved->area + HIERA_PLAN_EVENT_AT, &context->event, sizeof context->event);
    memcpy(moved->area + HIERA_PLAN_UNWIND_AT, &context->unwind, sizeof context->unwind);
    bool good = true;
    for (uint32_t i = 0; i < plan->fixups.n; i++)
        good &= fix(moved, &fixups[i], context);
    if (!good || mprotect(moved->area, bytes, PROT_READ | PROT_EXEC) != 0) {
        const char *reason =
            good ? "the system lets no new memory be executed" : "there is no free memory near its code";
        munmap(moved->area, bytes);
        moved->area = NULL;
        return reason;
    }
    tell_frames(moved, "__register_frame");
    return NULL;
}

void hiera_moved_free(HieraMoved *moved)
{
    if (!moved->area)
        return;
    tell_frames(moved, "__deregister_frame");
    munmap(moved->area, moved->area_bytes);
    moved->area = NULL;
}

/* --- redirecting functions to their copies, by jumps --- */

/* Set `bytes` to the jump to the copy that the patch writes, or to the original code at its place. */
static void bytes_of(const HieraMoved *moved, const HieraPlanPatch *patch, bool is_jump, char bytes[HIERA_PLAN_JUMP])
{
    const HieraPlanRange *range = hiera_plan_range_of(moved->plan, patch);
    if (!is_jump) {
        memcpy(bytes, (const char *)moved->plan + range->at + (patch->offset - range->offset), HIERA_PLAN_JUMP);
        return;
    }
    int64_t distance =
        (int64_t)(uintptr_t)(moved->area + patch->copy) - (int64_t)(moved->base + patch->offset + HIERA_PLAN_JUMP);
    bytes[0] = (char)0xe9;
    put_32(bytes + 1, distance);
}

/* Make the processor discard prefetched instructions, which may be those from before a change of code. */
static void synchronise(void)
{
#ifdef __x86_64__
    unsigned a = 0, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d) : : "memory");
#endif
}

/* Whether the code at all patches is the jump, or, if not is_jump, the original code. */
static bool is_as_expected(const HieraMoved *moved, int memory, bool is_jump)
{
    const HieraPlanPatch *patches = hiera_plan_part(moved->plan, moved->plan->patches);
    char bytes[HIERA_PLAN_JUMP];
    for (uint32_t i = 0; i < moved->plan->patches.n; i++) {
        bytes_of(moved, &patches[i], is_jump, bytes);
        if (!has_bytes(memory, moved->base + patches[i].offset, bytes, sizeof bytes))
            return false;
    }
    return true;
}

static bool write_all(const HieraMoved *moved, int memory, bool is_jump)
{
    const HieraPlanPatch *patches = hiera_plan_part(moved->plan, moved->plan->patches);
    char bytes[HIERA_PLAN_JUMP];
    bool good = true;
    for (uint32_t i = 0; good && i < moved->plan->patches.n; i++) {
        bytes_of(moved, &patches[i], is_jump, bytes);
        good = pwrite(memory, bytes, sizeof bytes, (off_t)(moved->base + patches[i].offset)) == (ssize_t)sizeof bytes;
    }
    synchronise();
    return good;
}

/* Write the jumps, or the original code, at all patches; if that fails, undo it. Returns NULL, or why it failed. */
static const char *change_all(const HieraMoved *moved, bool is_jump)
{
    int memory = open_memory();
    const char *reason = memory < 0 ? not_changed : NULL;
    if (!reason && !is_as_expected(moved, memory, !is_jump))
        reason = changed_already;
    else if (!reason && !write_all(moved, memory, is_jump)) {
        reason = not_changed;
        write_all(moved, memory, !is_jump);
    }
    if (memory >= 0)
        close(memory);
    return reason;
}

const char *hiera_moved_undo(HieraMoved *moved)
{
    const char *reason = change_all(moved, false);
    if (!reason && !has_originals(moved))
        reason = changed_already;
    moved->is_in_force = reason != NULL;
    return reason;
}

const char *hiera_moved_redirect(HieraMoved *moved)
{
    const char *reason = change_all(moved, true);
    moved->is_in_force = reason == NULL;
    return reason;
}

/* --- redirecting while other threads run --- */

typedef struct Work {
    HieraMoved *moved;
    bool is_redirected; /* true: redirect the functions to the copies; false: restore them */
    const char *reason;
} Work;

/* Whether an address is inside, not at the begin of, the bytes that a jump replaces. */
static bool is_inside_patch(void *data, uintptr_t at)
{
    const HieraMoved *moved = ((const Work *)data)->moved;
    const HieraPlanPatch *patches = hiera_plan_part(moved->plan, moved->plan->patches);
    for (uint32_t i = 0; i < moved->plan->patches.n; i++)
        if (at > moved->base + patches[i].offset && at < moved->base + patches[i].offset + HIERA_PLAN_JUMP)
            return true;
    return false;
}

/* Where a thread at `at` continues: inside a patch, in the copy. Before the jumps are undone, no thread can be inside
 * one. */
static uintptr_t move_into_copy(void *data, uintptr_t at)
{
    const Work *work = data;
    const HieraPlanPlace *places = hiera_plan_part(work->moved->plan, work->moved->plan->places);
    if (!work->is_redirected || work->reason || !is_inside_patch(data, at))
        return at;
    for (uint32_t i = 0; i < work->moved->plan->places.n; i++)
        if (work->moved->base + places[i].offset == at)
            return (uintptr_t)work->moved->area + places[i].copy;
    return at;
}

static void change(void *data)
{
    Work *work = data;
    work->reason = work->is_redirected ? hiera_moved_redirect(work->moved) : hiera_moved_undo(work->moved);
}

static const char *change_by_stops(HieraMoved *moved, bool is_redirected, uint64_t *ns)
{
    Work work = {moved, is_redirected, NULL};
    const HieraStopped stopped = {&work, move_into_copy, is_redirected ? is_inside_patch : NULL, change};
    const char *reason = hiera_stop_threads(&stopped, ns);
    return reason ? reason : work.reason;
}

/* Describe a patch for breakpoints.h. Before a jump is written, threads may be at any instruction that it replaces;
 * while a jump is undone, none can be inside it. */
static HieraRewritten rewrite_of(const HieraMoved *moved, const HieraPlanPatch *patch, bool is_jump)
{
    const HieraPlanPlace *places = hiera_plan_part(moved->plan, moved->plan->places);
    HieraRewritten rewritten = {.at = moved->base + patch->offset};
    bytes_of(moved, patch, !is_jump, (char *)rewritten.before);
    bytes_of(moved, patch, is_jump, (char *)rewritten.after);
    for (uint32_t i = 0; is_jump && i < moved->plan->places.n; i++)
        if (places[i].offset > patch->offset && places[i].offset - patch->offset < HIERA_PLAN_JUMP &&
            rewritten.to[places[i].offset - patch->offset] == 0)
            rewritten.to[places[i].offset - patch->offset] = (uintptr_t)moved->area + places[i].copy;
    rewritten.to[0] = (uintptr_t)moved->area + patch->copy;
    return rewritten;
}

static const char *change_by_breakpoints(HieraMoved *moved, bool is_redirected, uint64_t *ns)
{
    const HieraPlanPatch *patches = hiera_plan_part(moved->plan, moved->plan->patches);
    uint32_t n = moved->plan->patches.n;
    HieraRewritten *all = calloc(n > 0 ? n : 1, sizeof *all);
    int memory = open_memory();
    const char *reason = !all ? "there is no memory" : memory < 0 ? not_changed : NULL;
    for (uint32_t i = 0; i < n && !reason; i++)
        all[i] = rewrite_of(moved, &patches[i], is_redirected);
    if (!reason && !is_as_expected(moved, memory, !is_redirected))
        reason = changed_already;
    if (!reason)
        reason = hiera_breakpoints_rewrite(all, n, ns);
    if (!reason && !is_as_expected(moved, memory, is_redirected))
        reason = changed_already;
    if (memory >= 0)
        close(memory);
    free(all);
    return reason;
}

HieraMovedBy hiera_moved_by;

static const char *change_running(HieraMoved *moved, bool is_redirected, uint64_t *ns)
{
    const char *reason =
        hiera_moved_by == HIERA_MOVED_BY_BREAKPOINTS ? hiera_stop_refused : change_by_stops(moved, is_redirected, ns);
    if (reason != hiera_stop_refused || hiera_moved_by == HIERA_MOVED_BY_STOPS)
        return reason;
    reason = change_by_breakpoints(moved, is_redirected, ns);
    if (!reason)
        moved->is_in_force = is_redirected;
    if (!reason && !is_redirected && !has_originals(moved))
        reason = changed_already;
    return reason;
}

const char *hiera_moved_redirect_running(HieraMoved *moved, uint64_t *ns)
{
    return change_running(moved, true, ns);
}

const char *hiera_moved_undo_running(HieraMoved *moved, uint64_t *ns)
{
    return change_running(moved, false, ns);
}

bool hiera_moved_original(const HieraMoved *moved, uintptr_t *address)
{
    uintptr_t area = (uintptr_t)moved->area;
    if (!moved->area || *address < area || *address >= area + moved->plan->area.n || moved->plan->places.n == 0)
        return false;
    const HieraPlanPlace *places = hiera_plan_part(moved->plan, moved->plan->places);
    uint32_t copy = (uint32_t)(*address - area), low = 0, high = moved->plan->places.n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (places[middle].copy <= copy)
            low = middle;
        else
            high = middle;
    }
    *address = moved->base + places[low].offset + (copy > places[low].copy ? places[low].n : 0);
    return true;
}
