/* Find the frame of a signal handler on the stack. See in_signal_handler.h.
 *
 * A program may call exit() or MPI_Abort in a handler that has interrupted malloc or the dynamic linker. Looking up
 * call sites would then deadlock. No interface says whether a handler runs. But the kernel puts a frame with the
 * interrupted registers on the stack, and its layout is part of the kernel's interface. So this code searches the
 * stack, from here to its end, for such a frame. The remains of a finished handler look the same until another function
 * overwrites them: then the collector is careful without need.
 *
 * The stack is read through the kernel if possible, so that valgrind does not complain about uninitialised bytes. */
#include "in_signal_handler.h"

#include "proc_maps.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)

/* Indices into rt_sigframe as an array of words: return address, uc_flags, uc_link, uc_stack (3), then the registers.
 * rflags has few bits set; cs, gs, fs and ss share one word (old kernels have no ss). The pointer to the floating-point
 * registers points a little above. Under valgrind most of these words are zero, and the segments are 0. */
enum { FLAGS = 1, LINK, STACK, STACK_BYTES = 5, RSP = 21, RFLAGS = 23, SEGMENTS, FLOATS = 29, FRAME_WORDS };
static const uint64_t known_flags = 7, floats_within = 4096, known_rflags = 0x3fffff;

static bool has_form(const uint64_t *words, uint64_t at)
{
    uint16_t code, stack;
    __asm__("mov %%cs, %0" : "=r"(code));
    __asm__("mov %%ss, %0" : "=r"(stack));
    uint64_t without_stack = words[SEGMENTS] & UINT64_C(0xffffffffffff), with_stack = words[SEGMENTS] >> 48;
    return without_stack == code && (with_stack == 0 || with_stack == stack) && words[LINK] == 0 &&
           (words[FLAGS] & ~known_flags) == 0 && (words[RFLAGS] & ~known_rflags) == 0 &&
           words[FLOATS] - at < floats_within && words[FLOATS] % 16 == 0 && at % 16 == 8;
}

/* Whether a signal frame can be at `at`: the saved stack pointer is above it, or it is on the alternate stack. */
static bool has_place(const uint64_t *words, uint64_t at)
{
    return words[RSP] > at || at - words[STACK] < words[STACK_BYTES];
}

/* True if the handler returns to code that calls rt_sigreturn. Unwinders recognise this code by its bytes, so they are
 * stable. */
static bool has_return(int memory, const uint64_t *words)
{
    static const unsigned char number_and_syscall[] = {15, 0, 0, 0, 0x0f, 0x05};
    unsigned char code[16];
    ssize_t n = pread(memory, code, sizeof code, (off_t)words[0]);
    return n > 0 && memmem(code, (size_t)n, number_and_syscall, sizeof number_and_syscall);
}

/* Check the record of the floating-point registers if uc_flags says that it has the extended form: it contains a magic
 * number and its size, and another magic number at its end, 3 kilobytes further. In an old frame, later calls have soon
 * overwritten one of the two. */
static bool is_whole(int memory, const uint64_t *words)
{
    enum { EXTENDED = 1, MARK_AT = 464, MARK = 0x46505853, END_MARK = 0x46505845 };
    uint32_t mark_and_size[2], end_mark;
    if (!(words[FLAGS] & EXTENDED))
        return true;
    off_t floats = (off_t)words[FLOATS];
    return pread(memory, mark_and_size, sizeof mark_and_size, floats + MARK_AT) == sizeof mark_and_size &&
           mark_and_size[0] == MARK &&
           pread(memory, &end_mark, sizeof end_mark, floats + mark_and_size[1] - (off_t)sizeof end_mark) ==
               sizeof end_mark &&
           end_mark == END_MARK;
}

static bool is_frame(int memory, const uint64_t *words, uint64_t at)
{
    return has_form(words, at) && has_place(words, at) &&
           (memory < 0 || (has_return(memory, words) && is_whole(memory, words)));
}

#elif defined(__aarch64__)

/* A signal frame is recognised by a word: magic number and size of its record of floating-point registers. */
enum { FRAME_WORDS = 1 };

static bool is_frame(int memory, const uint64_t *words, uint64_t at)
{
    (void)memory;
    (void)at;
    return words[0] == (UINT64_C(528) << 32 | UINT64_C(0x46508001));
}

#else

enum { FRAME_WORDS = 1 };

static bool is_frame(int memory, const uint64_t *words, uint64_t at)
{
    (void)memory;
    (void)words;
    (void)at;
    return true;
}

#endif

/* Search stack memory for a signal frame, one piece after the other. Pieces overlap, so no frame is cut in two. */
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
            if (is_frame(memory, words + i, begin + i * sizeof *words))
                return true;
        begin += places * sizeof *words;
    }
    return false;
}

/* Search the stack from `from` to its end for a signal frame. Above 256 MB, return true: reading would take long. */
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

bool hiera_handler_may_run(const void *from)
{
    return look_at_stack((uintptr_t)from & ~(uintptr_t)7);
}
