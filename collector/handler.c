/* Is this thread in a signal handler? See handler.h.
 *
 * A program may call exit() or MPI_Abort in a handler that has interrupted malloc or the dynamic linker: what resolves
 * call sites would then wait for itself for ever. No interface tells; but the kernel has put a frame with the
 * interrupted registers on the stack, whose form is fixed for all time. So look for one from here to the end of the
 * stack. What an earlier handler left behind may look the same: then we are more careful than we need be.
 *
 * The stack is read through the kernel where that can be: bytes that nobody has written are no business of valgrind's.
 */
#include "handler.h"

#include "maps.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)

/* rt_sigframe, in words: return address, uc_flags, uc_link, uc_stack (3), the registers, of which rflags has a bit that
 * is always set and few others, and cs, gs, fs and ss share one word (old kernels have no ss; valgrind has 0 in all);
 * the place of the floating-point registers, which is a little above. */
enum { FLAGS = 1, LINK = 2, RFLAGS = 23, SEGMENTS = 24, FLOATS = 29, FRAME_WORDS = 30 };
static const uint64_t known_flags = 7, floats_within = 4096, set_rflag = 2, known_rflags = 0x3fffff;

static bool is_frame(const uint64_t *words, uint64_t at)
{
    uint16_t code, stack;
    __asm__("mov %%cs, %0" : "=r"(code));
    __asm__("mov %%ss, %0" : "=r"(stack));
    uint64_t without_stack = words[SEGMENTS] & UINT64_C(0xffffffffffff), with_stack = words[SEGMENTS] >> 48;
    return without_stack == code && (with_stack == 0 || with_stack == stack) && words[LINK] == 0 &&
           (words[FLAGS] & ~known_flags) == 0 && (words[RFLAGS] & ~(known_rflags ^ set_rflag)) == set_rflag &&
           words[FLOATS] - at < floats_within && words[FLOATS] % 16 == 0;
}

#elif defined(__aarch64__)

/* The record of the floating-point registers, which is always there: its magic number and its size. */
enum { FRAME_WORDS = 1 };

static bool is_frame(const uint64_t *words, uint64_t at)
{
    (void)at;
    return words[0] == (UINT64_C(528) << 32 | UINT64_C(0x46508001));
}

#else

enum { FRAME_WORDS = 1 };

static bool is_frame(const uint64_t *words, uint64_t at)
{
    (void)words;
    (void)at;
    return true;
}

#endif

/* Pieces of the stack, from `memory` if that is open, each with the end of the one before: a frame may lie across. */
static bool has_frame(int memory, uintptr_t begin, uintptr_t end)
{
    enum { PIECE = 512 };
    uint64_t words[PIECE];
    while (begin + FRAME_WORDS * sizeof *words <= end) {
        size_t bytes = end - begin < sizeof words ? end - begin : sizeof words;
        if (memory < 0)
            memcpy(words, (const void *)begin, bytes);
        else if (pread(memory, words, bytes, (off_t)begin) != (ssize_t)bytes)
            return true;
        size_t places = bytes / sizeof *words - FRAME_WORDS + 1;
        for (size_t i = 0; i < places; i++)
            if (is_frame(words + i, begin + i * sizeof *words))
                return true;
        begin += places * sizeof *words;
    }
    return false;
}

/* `from` is on the stack. A deep one is not worth the time. */
static bool look_at_stack(uintptr_t from)
{
    enum { DEEPEST = 256 << 20 };
    HieraMapping stack;
    if (!hiera_maps_find(from, &stack) || stack.end - from > DEEPEST)
        return true;
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    bool found = has_frame(memory, from, stack.end);
    if (memory >= 0)
        close(memory);
    return found;
}

bool hiera_handler_may_run(void)
{
    return look_at_stack((uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)7);
}
