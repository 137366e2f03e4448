#include "callbacks.h"

#include "call_record.h"
#include "own_calls.h"
#include "record/own_stack.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 256, ROOM = 4 << 10, TOOLS = 8 };

static const void *tools[TOOLS]; /* load addresses of the files that PMPI tools are in */

void hiera_callbacks_know_tool(const void *function)
{
    Dl_info object;
    size_t i = 0;
    if (!dladdr(function, &object))
        return;
    while (i < TOOLS && tools[i] && tools[i] != object.dli_fbase)
        i++;
    if (i < TOOLS)
        tools[i] = object.dli_fbase;
}

/* Whether the call before this return address names its target function, in the same object or through the linker's
 * table. Then MPI itself calls an MPI function. If it calls through a pointer, it has called a callback, and the
 * callback jumped to the MPI function: compilers end a function in this way if its last action is a call. */
static bool is_call_by_name(const void *site, const Dl_info *object)
{
    Dl_info to;
#if defined __x86_64__
    const unsigned char *after = site;
    int32_t distance;
    if (after - (const unsigned char *)object->dli_fbase < 6)
        return true;
    memcpy(&distance, after - sizeof distance, sizeof distance);
    if (after[-6] == 0xff && after[-5] == 0x15) /* the call is call *distance(%rip) */
        return true;
    return after[-5] == 0xe8 && dladdr(after + distance, &to) && to.dli_fbase == object->dli_fbase;
#elif defined __aarch64__
    uint32_t word;
    (void)to, (void)object;
    memcpy(&word, (const char *)site - sizeof word, sizeof word);
    return word >> 26 == 0x25; /* the instruction before the return address is bl, the call of aarch64 */
#else
    (void)to, (void)site, (void)object;
    return true;
#endif
}

/* Whether MPI or a tool makes this call for itself: the call site is in a library of MPI or of a tool, by the name of
 * its file. If MPI is linked statically, MPI and the program are in one file: then all calls count as MPI's. */
static bool find_whose(const void *address)
{
    static const char *const names[] = {"libmpi", "libompi", "libopen-", "libopen_mpi", "mca_", "libhiera"};
    Dl_info object, mpi;
    if (!dladdr(address, &object) || !dladdr((const void *)(uintptr_t)hiera_own.Comm_rank, &mpi))
        return true;
    const char *slash = object.dli_fname ? strrchr(object.dli_fname, '/') : NULL;
    const char *name = slash ? slash + 1 : object.dli_fname ? object.dli_fname : "";
    bool is_mpi = object.dli_fbase == mpi.dli_fbase;
    for (size_t i = 0; i < TOOLS && tools[i]; i++)
        if (object.dli_fbase == tools[i])
            return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is_mpi |= strncmp(name, names[i], strlen(names[i])) == 0;
    return is_mpi && (strncmp(name, "libhiera", 8) == 0 || is_call_by_name(address, &object));
}

/* Like find_whose(), with a cache by call site: needed because MPI libraries whose Fortran functions call C functions
 * ask here at each call. */
static bool is_of_mpi(const void *site)
{
    static uint64_t known[PLACES]; /* cache: return address of a call << 1 | whether MPI made the call */
    uint64_t *entry = &known[((uintptr_t)site ^ (uintptr_t)site >> 8) % PLACES];
    uint64_t there = __atomic_load_n(entry, __ATOMIC_RELAXED);
    if (there >> 1 == (uintptr_t)site)
        return there & 1;
    bool is_mpi = find_whose(site);
    __atomic_store_n(entry, (uint64_t)(uintptr_t)site << 1 | is_mpi, __ATOMIC_RELAXED);
    return is_mpi;
}

HieraMpiRecord *hiera_callback_around(HieraThread *thread)
{
    HieraRecord *last = NULL;
    for (char *at = thread->walked ? thread->walked : thread->base; at < thread->next; at += last->bytes)
        last = (HieraRecord *)(void *)at;
    thread->walked = (char *)last;
    bool is_open = last && last->call >= HIERA_RECORD_CALLS && __atomic_load_n(&last->finish, __ATOMIC_RELAXED) == 0;
    return is_open ? (HieraMpiRecord *)last : NULL;
}

const char *hiera_callback_name_around(HieraThread *callbacks, const void **site)
{
    const HieraMpiRecord *around = callbacks->around ? hiera_callback_around(callbacks->around) : NULL;
    *site = around ? around->head.site : NULL;
    return around ? hiera_mpi_calls[around->head.call - HIERA_RECORD_CALLS].operation : NULL;
}

void hiera_call_left(HieraThread *thread)
{
    HieraMpiRecord *record = hiera_callback_around(thread);
    if (thread->callbacks && thread->callbacks->inside)
        hiera_call_left(thread->callbacks);
    thread->inside = 0;
    /* Calls around this one lose nothing: they have saved the values of their requests. */
    hiera_scratch_left();
    if (!record)
        return;
    record->flags = (record->flags & ~HIERA_MPI_LISTED) | HIERA_MPI_LEFT;
    __atomic_store_n(&record->head.finish, hiera_clock_ticks(), __ATOMIC_RELEASE);
}

/* Whether the outer call was left by longjmp or an exception: then the program has used the stack again, deeper than
 * before, and the return address in the outer call's frame is another one by now. False if the frame is on another
 * stack, which may be gone. */
static bool is_frame_gone(HieraThread *thread)
{
    const HieraMpiRecord *outer = hiera_callback_around(thread);
    return outer && hiera_stack_has(hiera_thread, thread->inside) &&
           ((const void *const *)thread->inside)[1] != outer->head.site;
}

/* Return the state in which calls made in this thread's callbacks are recorded; kept until the thread ends. */
static HieraThread *callbacks_of(HieraThread *thread)
{
    HieraThread *made = thread->callbacks ? thread->callbacks : calloc(1, sizeof *made);
    if (made && !made->base) {
        made->base = made->next = made->written = malloc(ROOM);
        made->bytes = made->base ? ROOM : 0;
        made->limit = made->end = made->base + made->bytes;
        made->around = thread;
        made->number = thread->number;
    }
    if (made && !made->base)
        free(made);
    else
        thread->callbacks = made;
    return thread->callbacks;
}

/* Prepare to record a call that a callback of the `thread`'s outermost call in progress makes; NULL: not possible. */
static HieraThread *hold(HieraThread *thread)
{
    if (thread->callbacks && thread->callbacks->around_start != 0) {
        thread->callbacks->n_calls++;
        return thread->callbacks; /* callbacks of this MPI call have made calls before */
    }
    HieraMpiRecord *outer = hiera_callback_around(thread);
    HieraThread *callbacks = outer ? callbacks_of(thread) : NULL;
    if (!callbacks) {
        hiera_thread->lost_in_callbacks += outer != NULL;
        return NULL;
    }
    hiera_scratch_hold();
    if (!(outer->flags & HIERA_MPI_HOLDS)) {
        __atomic_store_n(&outer->flags, outer->flags | HIERA_MPI_HOLDS, __ATOMIC_RELAXED);
        callbacks->around_start = outer->head.start;
        callbacks->n_calls = 1;
        hiera_thread_hold(thread);
    }
    return callbacks;
}

HieraThread *hiera_mpi_enter_inside(HieraThread *thread, const void *frame)
{
    const void *site =
        ((const void *const *)frame)[1]; /* the wrapper's return address; the wrapper has a frame pointer */
    if ((uintptr_t)frame < thread->inside && is_of_mpi(site))
        return NULL;
    while (thread && thread->inside && (uintptr_t)frame < thread->inside) {
        if (is_frame_gone(thread))
            hiera_call_left(thread);
        else
            thread = hold(thread);
    }
    if (thread && thread->inside && hiera_open_has_left_call(thread, (uintptr_t)frame))
        hiera_call_left(thread);
    return thread;
}

void hiera_call_check_left(uintptr_t stack)
{
    HieraThread *thread = hiera_thread;
    if (thread && thread->inside &&
        (stack < thread->inside ? is_frame_gone(thread) : hiera_open_has_left_call(thread, stack)))
        hiera_call_left(thread);
}

unsigned hiera_callback_depth(void)
{
    unsigned n = 0;
    for (const HieraThread *thread = hiera_thread; thread && thread->callbacks && thread->callbacks->inside; n++)
        thread = thread->callbacks;
    return n;
}
