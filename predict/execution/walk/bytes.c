/* C functions on bytes of memory: memcpy, memset, memchr, memcmp and similar. See library.h. */
#include "library.h"

enum { MOST_BYTES = 16 << 20 };

/* --- functions that write bytes --- */

static void copy(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown to = hiera_process_argument(process, 0), from = hiera_process_argument(process, 1),
               n = hiera_process_argument(process, 2);
    returned->has_integer = to.known;
    returned->integer = to.bits;
    if (!to.known || !n.known)
        return;
    HieraKnownBytes *bytes = from.known ? hiera_known_memory_copy(process->state.memory, from.bits, n.bits) : NULL;
    hiera_known_memory_paste(process->state.memory, to.bits, n.bits, bytes);
    hiera_bytes_free(bytes);
    returned->cycles += (gdouble)n.bits / 16;
}

/* mempcpy(to, from, n): returns the address behind the copy. */
static void copy_to_end(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown n = hiera_process_argument(process, 2);
    copy(process, returned);
    returned->has_integer &= n.known;
    returned->integer += n.bits;
}

static void set(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown to = hiera_process_argument(process, 0), byte = hiera_process_argument(process, 1),
               n = hiera_process_argument(process, 2);
    returned->has_integer = to.known;
    returned->integer = to.bits;
    if (!to.known || !n.known)
        return;
    returned->cycles += (gdouble)n.bits / 32;
    if (!byte.known || n.bits > MOST_BYTES) {
        hiera_known_memory_forget(process->state.memory, to.bits, n.bits);
        return;
    }
    for (guint64 i = 0; i < n.bits; i++)
        hiera_known_memory_write(process->state.memory, to.bits + i, 1, TRUE, byte.bits & 0xff);
}

/* --- functions that search bytes --- */

/* Find the first byte from `at` on, of n, that is `wanted`, or the last. @return whether the result is known; *found is
 * 0 if there is none */
static gboolean find(HieraProcess *process, guint64 at, guint64 n, guint64 wanted, gboolean last, guint64 *found)
{
    *found = 0;
    for (guint64 i = 0; i < n; i++) {
        guint64 place = at + (last ? n - 1 - i : i), byte;
        if (i > MOST_BYTES || !hiera_known_memory_read(process->state.memory, place, 1, &byte))
            return FALSE;
        if (byte == (wanted & 0xff)) {
            *found = place;
            return TRUE;
        }
    }
    return TRUE;
}

static void find_in(HieraProcess *process, HieraReturned *returned, HieraKnown n, gboolean last)
{
    HieraKnown at = hiera_process_argument(process, 0), byte = hiera_process_argument(process, 1);
    returned->has_integer =
        at.known && byte.known && n.known && find(process, at.bits, n.bits, byte.bits, last, &returned->integer);
    if (returned->has_integer)
        returned->cycles += (gdouble)(returned->integer ? returned->integer - at.bits : n.bits) / 16;
}

static void find_first(HieraProcess *process, HieraReturned *returned)
{
    find_in(process, returned, hiera_process_argument(process, 2), FALSE);
}

static void find_last(HieraProcess *process, HieraReturned *returned)
{
    find_in(process, returned, hiera_process_argument(process, 2), TRUE);
}

/* rawmemchr(from, byte): the search has no limit, since the byte exists. */
static void find_somewhere(HieraProcess *process, HieraReturned *returned)
{
    find_in(process, returned, (HieraKnown){TRUE, G_MAXUINT64}, FALSE);
}

static void compare(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown a = hiera_process_argument(process, 0), b = hiera_process_argument(process, 1),
               n = hiera_process_argument(process, 2);
    guint64 one = 0, other = 0;
    if (n.known && n.bits == 0)
        hiera_return_integer(returned, 0);
    if (!a.known || !b.known || !n.known)
        return;
    for (guint64 i = 0; i < n.bits && one == other; i++) {
        if (i > MOST_BYTES || !hiera_known_memory_read(process->state.memory, a.bits + i, 1, &one) ||
            !hiera_known_memory_read(process->state.memory, b.bits + i, 1, &other))
            return;
        returned->cycles += 1.0 / 16;
    }
    hiera_return_integer(returned, (one - other) & 0xffffffff);
}

const HieraLibraryRow hiera_byte_rows[] = {
    {"memcpy", 20, .work = copy},
    {"memmove", 20, .work = copy},
    {"mempcpy", 20, .work = copy_to_end},
    {"memset", 20, .work = set},
    {"memchr", 15, .work = find_first},
    {"memrchr", 15, .work = find_last},
    {"rawmemchr", 15, .work = find_somewhere},
    {"memcmp", 15, .work = compare},
    {"bcmp", 15, .work = compare},
    {.name = NULL},
};
