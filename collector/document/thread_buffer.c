#include "thread_buffer.h"

#include "base/settings.h"
#include "callback_records.h"
#include "memory/kept_memory.h"
#include "record/open_regions.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Before MPI_Init the rank is not known, and the process may never have one. So until then a full buffer is not written
 * but grows, up to EARLY_BUFFER_MAX. */
enum { EARLY_BUFFER_MAX = 16 << 20, BUFFER = 256 << 10, BUFFER_MIN = 128 << 10 };

/* Without a trace, a large buffer gains nothing. The buffer begins directly behind the state of the thread; state,
 * buffer and a short list behind the last record fit into two pages. While a call may need more (for lists), the buffer
 * is wider. */
enum { UNTRACED = (8 << 10) - 512 };

static char *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static bool has_small_buffer(const HieraThread *thread)
{
    return thread->base == (const char *)(thread + 1);
}

/* Use the memory directly behind the thread's state as its buffer. */
static void use_small(HieraThread *thread)
{
    thread->base = (char *)(thread + 1);
    thread->bytes = HIERA_UNTRACED_MAX - sizeof *thread;
}

void hiera_buffer_free(HieraThread *thread)
{
    if (!has_small_buffer(thread))
        hiera_kept_unmap(thread->base, thread->bytes);
}

/* If memory for a buffer of HIERA_BUFFER bytes cannot be mapped, use the default size. */
void hiera_buffer_check(void)
{
    char *memory = map(hiera_settings.buffer);
    const char *text = getenv("HIERA_BUFFER");
    if (memory) {
        munmap(memory, hiera_settings.buffer);
    } else if (text) {
        hiera_settings_blame("HIERA_BUFFER", text, strlen(text), "there is not so much memory; the default is used");
        hiera_settings.buffer = BUFFER;
    }
}

static char *whole_end(const HieraThread *thread)
{
    return thread->base + thread->bytes - HIERA_UNRECORDED_ROOM;
}

static char *usual_end(const HieraThread *thread)
{
    return has_small_buffer(thread) ? thread->base - sizeof *thread + UNTRACED : whole_end(thread);
}

static void begin(HieraThread *thread)
{
    thread->next = thread->base;
    thread->walked = NULL;
    /* If the process is killed between these stores, no record counts as unwritten. */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread->written = thread->base;
    thread->limit = thread->end = usual_end(thread);
    thread->is_wide = false;
}

bool hiera_buffer_make(HieraThread *thread)
{
    const size_t sizes[] = {hiera_settings.buffer, BUFFER, BUFFER_MIN};
    if (!hiera_settings.trace)
        use_small(thread);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && !thread->base; i++) {
        thread->bytes = sizes[i];
        thread->base = hiera_kept_map(thread->bytes);
    }
    if (thread->base)
        begin(thread);
    return thread->base != NULL;
}

void hiera_buffer_reset(HieraThread *thread)
{
    if (!hiera_settings.trace) {
        hiera_buffer_free(thread);
        use_small(thread);
    }
    begin(thread);
}

/* Without a trace: move the end of the usable buffer to `bytes` behind the records. Returns whether they fit. */
bool hiera_buffer_widen(HieraThread *thread, size_t bytes)
{
    char *from = thread->next > usual_end(thread) ? thread->next : usual_end(thread);
    bool helps = !hiera_settings.trace && thread->n_recorded == thread->n_open && from < whole_end(thread) &&
                 (size_t)(whole_end(thread) - from) >= bytes;
    if (helps) {
        thread->limit = thread->end = from + bytes;
        thread->is_wide = true;
    }
    return helps;
}

void hiera_thread_hold(HieraThread *thread)
{
    thread->limit = thread->end = thread->next;
    thread->is_wide = true; /* so that appending a list to the record calls hiera_thread_narrow() */
}

void hiera_thread_narrow(HieraThread *thread)
{
    if (hiera_callbacks_wait(thread)) {
        hiera_thread_hold(thread);
        return;
    }
    if (thread->around) {
        thread->limit = thread->end = thread->base + thread->bytes;
        return;
    }
    char *usual = usual_end(thread);
    thread->limit = thread->end = thread->next > usual ? thread->next : usual;
}

/* Whether a record of `bytes` exceeds the usual part of the buffer, while that part is neither full nor widened. */
bool hiera_buffer_wants_wider(const HieraThread *thread, size_t bytes)
{
    return bytes > UNTRACED && thread->next < usual_end(thread) && thread->end == usual_end(thread);
}

/* Before MPI_Init: use the whole buffer, then double it. Open regions point into the buffer, so these pointers are
 * moved too. */
bool hiera_buffer_grow(HieraThread *thread)
{
    if (thread->end < whole_end(thread)) {
        thread->limit = thread->end = whole_end(thread);
        return true;
    }
    size_t bytes = 2 * thread->bytes;
    char *base = bytes <= EARLY_BUFFER_MAX ? hiera_kept_map(bytes) : NULL;
    if (!base)
        return false;
    ptrdiff_t moved = base - thread->base;
    memcpy(base, thread->base, (size_t)(thread->next - thread->base));
    for (uint32_t i = 0; i < thread->n_open; i++)
        if (thread->open[i].record)
            thread->open[i].record = (HieraRecord *)(void *)((char *)thread->open[i].record + moved);
    hiera_buffer_free(thread);
    thread->base = base;
    thread->written += moved;
    thread->next += moved;
    thread->bytes = bytes;
    thread->limit = thread->end = whole_end(thread);
    return true;
}
