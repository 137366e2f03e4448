/* libhiera-malloc.so: malloc and similar functions, which count the blocks of the next malloc (libc's, or that of a
 * library behind this one). Without malloc_usable_size() in that library they count nothing.
 *
 * dlsym(), which finds the next functions, may itself allocate: until it returns, blocks come from a small arena and
 * are never freed. The functions themselves take no lock, do not allocate and do not change errno, so they are as safe
 * as the next ones. With HIERA_CHECK=buffers they keep what the program has asked for, if the next malloc is libc's:
 * other allocators give and take blocks by further functions, which are not seen. */
#include "counting.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default"), noinline))
#define CALLER __builtin_return_address(0)

/* The counted functions: X(result, name, parameters). */
#define FUNCTIONS(X)                                                                                                   \
    X(void *, malloc, (size_t))                                                                                        \
    X(void, free, (void *))                                                                                            \
    X(void *, calloc, (size_t, size_t))                                                                                \
    X(void *, realloc, (void *, size_t))                                                                               \
    X(int, posix_memalign, (void **, size_t, size_t))                                                                  \
    X(void *, aligned_alloc, (size_t, size_t))                                                                         \
    X(void *, memalign, (size_t, size_t))                                                                              \
    X(void *, valloc, (size_t))                                                                                        \
    X(size_t, malloc_usable_size, (void *))

static struct {
#define X(result, name, parameters) result(*name) parameters;
    FUNCTIONS(X)
#undef X
} next;

static bool is_found;
static bool has_sizes; /* malloc_usable_size() is in the same library as malloc() */
static __thread bool finding __attribute__((tls_model("initial-exec")));

/* Whether both functions belong to one library: only the library that has made a block knows its size; another one may
 * read wrong memory. */
static bool are_of_one_library(const void *function, const void *other)
{
    Dl_info info, of_other;
    return function && other && dladdr(function, &info) != 0 && dladdr(other, &of_other) != 0 &&
           info.dli_fbase == of_other.dli_fbase;
}

/* Whether the sizes of blocks are asked for, and the next malloc is libc's. */
static bool keeps_blocks(void)
{
    const char *check = getenv("HIERA_CHECK");
    return check && strstr(check, "buffers") && *(void **)&next.malloc &&
           *(void **)&next.malloc == dlsym(RTLD_NEXT, "__libc_malloc");
}

/* Find the functions of the next library that defines malloc. Threads may do it at once, with the same result. */
static void find(void)
{
    finding = true;
#define X(result, name, parameters) next.name = (__typeof__(next.name))dlsym(RTLD_NEXT, #name);
    FUNCTIONS(X)
#undef X
    has_sizes = are_of_one_library(*(void **)&next.malloc, *(void **)&next.malloc_usable_size);
    bool keeps = keeps_blocks();
    finding = false;
    if (keeps)
        hiera_blocks_begin();
    if (has_sizes)
        hiera_count_begin();
    __atomic_store_n(&is_found, true, __ATOMIC_RELEASE);
}

/* Whether the next library's functions are known. False while dlsym() looks for them: then the arena is used. */
static inline bool is_ready(void)
{
    if (__builtin_expect(!__atomic_load_n(&is_found, __ATOMIC_ACQUIRE), 0) && !finding)
        find();
    return !finding;
}

/* --- the arena: memory for dlsym(), before the next malloc is known --- */

enum { ARENA = 32 << 10, ALIGNMENT = 16 };
static char arena[ARENA] __attribute__((aligned(ALIGNMENT)));
static size_t arena_used;

static void *take_from_arena(size_t bytes)
{
    size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t at = bytes <= ARENA ? __atomic_fetch_add(&arena_used, rounded, __ATOMIC_RELAXED) : ARENA;
    if (at + rounded <= ARENA)
        return arena + at;
    errno = ENOMEM;
    return NULL;
}

static bool is_of_arena(const void *block)
{
    return (uintptr_t)block - (uintptr_t)arena < ARENA;
}

/* Return the number of bytes from a block to the end of the arena, since the block's own size is not stored. */
static size_t room_behind(const void *block)
{
    return (size_t)(arena + ARENA - (const char *)block);
}

/* --- malloc() and the like, which the program calls --- */

static void *taken(void *block, size_t bytes, const void *caller)
{
    if (block && has_sizes)
        hiera_count_taken(caller, next.malloc_usable_size(block));
    if (block)
        hiera_blocks_add(block, bytes);
    return block;
}

PUBLIC void *malloc(size_t bytes)
{
    return is_ready() ? taken(next.malloc(bytes), bytes, CALLER) : take_from_arena(bytes);
}

/* From the arena, memory is zero already: no part of the arena is used twice. */
PUBLIC void *calloc(size_t n, size_t bytes)
{
    size_t all;
    if (is_ready())
        return taken(next.calloc(n, bytes), n * bytes, CALLER);
    return take_from_arena(__builtin_mul_overflow(n, bytes, &all) ? SIZE_MAX : all);
}

PUBLIC void free(void *block)
{
    if (!block || is_of_arena(block) || !is_ready())
        return;
    if (has_sizes)
        hiera_count_given(CALLER, next.malloc_usable_size(block));
    hiera_blocks_remove(block);
    next.free(block);
}

static void *leave_arena(const void *block, void *copy, size_t bytes)
{
    if (copy)
        memcpy(copy, block, bytes < room_behind(block) ? bytes : room_behind(block));
    return copy;
}

static void *change(void *block, size_t bytes, const void *caller)
{
    if (!is_ready())
        return block ? leave_arena(block, take_from_arena(bytes), bytes) : take_from_arena(bytes);
    if (is_of_arena(block))
        return leave_arena(block, taken(next.malloc(bytes), bytes, caller), bytes);
    size_t before = block && has_sizes ? next.malloc_usable_size(block) : 0;
    uint64_t known = block ? hiera_blocks_remove(block) : 0; /* before another thread gets its memory */
    void *made = next.realloc(block, bytes);
    if (block && has_sizes && (made || bytes == 0)) /* realloc() has freed `block` if it succeeds or bytes is 0 */
        hiera_count_given(caller, before);
    if (!made && bytes > 0 && known > 0)
        hiera_blocks_add(block, (size_t)known - 1);
    return taken(made, bytes, caller);
}

PUBLIC void *realloc(void *block, size_t bytes)
{
    return change(block, bytes, CALLER);
}

/* Does not call the next reallocarray(), which in some allocators calls realloc(), so that it would count twice. */
PUBLIC void *reallocarray(void *block, size_t n, size_t bytes)
{
    size_t all;
    if (!__builtin_mul_overflow(n, bytes, &all))
        return change(block, all, CALLER);
    errno = ENOMEM;
    return NULL;
}

PUBLIC int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    int error = is_ready() ? next.posix_memalign(block, alignment, bytes) : ENOMEM;
    if (error == 0)
        taken(*block, bytes, CALLER);
    return error;
}

PUBLIC void *aligned_alloc(size_t alignment, size_t bytes)
{
    return is_ready() ? taken(next.aligned_alloc(alignment, bytes), bytes, CALLER) : NULL;
}

PUBLIC void *memalign(size_t alignment, size_t bytes)
{
    return is_ready() ? taken(next.memalign(alignment, bytes), bytes, CALLER) : NULL;
}

PUBLIC void *valloc(size_t bytes)
{
    return is_ready() ? taken(next.valloc(bytes), bytes, CALLER) : NULL;
}

/* Calls the next valloc(), since other allocators lack pvalloc(), and libc's block would not be one of theirs. */
PUBLIC void *pvalloc(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), rounded = (bytes + page - 1) / page * page;
    return is_ready() && rounded >= bytes ? taken(next.valloc(rounded), rounded, CALLER) : NULL;
}
