/* See handles.h. In each class, the lowest numbers are those of the predefined handles. */
#include "handles.h"

#include "handle_map.h"
#include "mpi/call/call_record.h"
#include "predefined.h" /* generated: the rows of predefined.table that this MPI has */

static HieraHandleMap maps[HIERA_HANDLE_CLASS_COUNT];
static HieraHandleMap
    more_uses[HIERA_HANDLE_CLASS_COUNT]; /* handle → how often it was returned again after the first time */
static uint32_t next_number[HIERA_HANDLE_CLASS_COUNT];

uint32_t hiera_handle_epoch = 1;

uint32_t hiera_handle_find_freed(HieraHandleClass kind, uint64_t key)
{
    return (uint32_t)hiera_map_find(&maps[kind], key);
}

uint32_t hiera_handle_find(HieraHandleClass kind, uint64_t key)
{
    uint32_t number = hiera_handle_find_freed(kind, key);
    return number & HIERA_HANDLE_FREED ? 0 : number;
}

uint32_t hiera_handle_find_again(HieraThread *thread, int memo, HieraHandleClass kind, uint64_t key)
{
    uint32_t epoch = __atomic_load_n(&hiera_handle_epoch, __ATOMIC_RELAXED);
    if (thread->memo_epoch != epoch) {
        thread->memo_handle[0] = thread->memo_handle[1] = 0;
        thread->memo_epoch = epoch;
    }
    thread->memo_id[memo] = hiera_handle_find_freed(kind, key);
    thread->memo_handle[memo] = key;
    return thread->memo_id[memo];
}

/* Store the number of a handle. */
static void know(HieraHandleClass kind, uint64_t key, uint32_t number)
{
    hiera_map_put(&maps[kind], key, number);
    __atomic_add_fetch(&hiera_handle_epoch, 1, __ATOMIC_ACQ_REL);
}

/* Remove the number of a handle that the program frees; those that it may use by mistake are kept as freed, until MPI
 * returns them again. */
static void forget(HieraHandleClass kind, uint64_t key, uint32_t number)
{
    enum { FREED_MOST = 4096 }; /* of a class, in all: the map must not grow for ever */
    static uint32_t n_freed[HIERA_HANDLE_CLASS_COUNT];
    bool is_kept =
        kind == HIERA_HANDLE_COMM || kind == HIERA_HANDLE_TYPE || kind == HIERA_HANDLE_OP || kind == HIERA_HANDLE_WIN;
    if (is_kept && __atomic_fetch_add(&n_freed[kind], 1, __ATOMIC_RELAXED) < FREED_MOST)
        hiera_map_put(&maps[kind], key, number | HIERA_HANDLE_FREED);
    else
        hiera_map_take(&maps[kind], key);
    __atomic_add_fetch(&hiera_handle_epoch, 1, __ATOMIC_ACQ_REL);
}

uint32_t hiera_handle_new(HieraHandleClass kind, uint64_t key)
{
    uint32_t number = hiera_handle_find(kind, key);
    if (number != 0 && number <= hiera_predefined_count[kind])
        return number;
    hiera_map_take(&more_uses[kind], key);
    uint32_t old = number;
    number = __atomic_fetch_add(&next_number[kind], 1, __ATOMIC_RELAXED);
    know(kind, key, number);
    hiera_handle_released(kind, old);
    return number;
}

uint32_t hiera_handle_reference(HieraHandleClass kind, uint64_t key)
{
    uint32_t number = hiera_handle_find(kind, key);
    if (number == 0)
        return hiera_handle_new(kind, key);
    if (number > hiera_predefined_count[kind])
        hiera_map_put(&more_uses[kind], key, hiera_map_find(&more_uses[kind], key) + 1);
    return number;
}

uint32_t hiera_handle_forget(HieraHandleClass kind, uint64_t key)
{
    uint32_t uses = hiera_map_find(&more_uses[kind], key), number = hiera_handle_find(kind, key);
    if (uses > 0)
        hiera_map_put(&more_uses[kind], key, uses - 1);
    if (uses > 0 || number <= hiera_predefined_count[kind])
        return 0;
    forget(kind, key, number);
    return number;
}

void hiera_handle_restore(HieraHandleClass kind, uint64_t key, uint32_t number)
{
    if (number <= hiera_predefined_count[kind])
        return;
    if (hiera_handle_find(kind, key) == number)
        hiera_handle_reference(kind, key);
    else
        know(kind, key, number);
}

const char *hiera_handle_name(HieraHandleClass kind, uint32_t number, uint32_t *own)
{
    static const char *const prefixes[] = {
#define X(identifier, type, prefix) prefix,
        HIERA_HANDLE_CLASSES(X)
#undef X
    };
    *own = 0;
    number &= ~HIERA_HANDLE_FREED;
    if (number == 0)
        return "unknown";
    if (number <= hiera_predefined_count[kind])
        return hiera_predefined_names[kind][number - 1];
    *own = number - hiera_predefined_count[kind];
    return prefixes[kind];
}

void hiera_handle_put_owner(HieraText *text, int rank)
{
    hiera_text_char(text, 'P');
    hiera_text_signed(text, rank);
    hiera_text_char(text, '_');
}

/* The predefined handles get numbers at load time: some may be used before MPI_Init. */
__attribute__((constructor(102))) static void number_predefined(void)
{
#define X(identifier, type, prefix)                                                                                    \
    for (uint32_t i = 0; i < hiera_predefined_count[HIERA_HANDLE_##identifier]; i++)                                   \
        if (hiera_handle_find(HIERA_HANDLE_##identifier, HIERA_KEY(hiera_predefined_##identifier[i])) == 0)            \
            hiera_map_put(&maps[HIERA_HANDLE_##identifier], HIERA_KEY(hiera_predefined_##identifier[i]), i + 1);       \
    next_number[HIERA_HANDLE_##identifier] = hiera_predefined_count[HIERA_HANDLE_##identifier] + 1;
    HIERA_HANDLE_CLASSES(X)
#undef X
}
