/* See stack_moment.h. A sample is one of perf_event_open(); of a thread that waits /proc has two registers. */
#include "stack_moment.h"

#if defined(__x86_64__)

#include <asm/perf_regs.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { RING = 32 << 12, PERIOD_NS = 50000, PATIENCE_MS = 40 };

/* Numbers of registers: in DWARF, from 0 on, those of perf. */
static const uint8_t perf_of[HIERA_DWARF_REGISTERS] = {
    PERF_REG_X86_AX,  PERF_REG_X86_DX,  PERF_REG_X86_CX,  PERF_REG_X86_BX, PERF_REG_X86_SI,  PERF_REG_X86_DI,
    PERF_REG_X86_BP,  PERF_REG_X86_SP,  PERF_REG_X86_R8,  PERF_REG_X86_R9, PERF_REG_X86_R10, PERF_REG_X86_R11,
    PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14, PERF_REG_X86_R15};

/* --- a sample of a thread that is on a processor --- */

static uint64_t wanted_registers(void)
{
    uint64_t mask = UINT64_C(1) << PERF_REG_X86_IP;
    for (int i = 0; i < HIERA_DWARF_REGISTERS; i++)
        mask |= UINT64_C(1) << perf_of[i];
    return mask;
}

static int open_event(pid_t thread)
{
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_TASK_CLOCK,
                                    .sample_period = PERIOD_NS,
                                    .sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
                                    .sample_regs_user = wanted_registers(),
                                    .sample_stack_user = HIERA_STACK_BYTES,
                                    .exclude_kernel = 1,
                                    .wakeup_events = 1};
    return (int)syscall(SYS_perf_event_open, &event, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Copy a sample: ABI, registers by rising number, then the stack's bytes and how many of them are valid. */
static bool take_sample(HieraStackMoment *moment, const char *at, const char *end)
{
    uint64_t words[32], mask = wanted_registers(), bytes;
    size_t n = (size_t)__builtin_popcountll(mask), k = 0;
    if ((size_t)(end - at) < (2 + n) * sizeof *words)
        return false;
    memcpy(words, at, (2 + n) * sizeof *words);
    bytes = words[1 + n];
    if (words[0] != PERF_SAMPLE_REGS_ABI_64 || bytes > HIERA_STACK_BYTES ||
        (size_t)(end - at) < (3 + n) * sizeof *words + bytes)
        return false;
    for (int number = 0; number < 64; number++) {
        if (!(mask >> number & 1))
            continue;
        uint64_t value = words[1 + k++];
        for (int i = 0; i < HIERA_DWARF_REGISTERS; i++)
            if (perf_of[i] == number)
                moment->registers[i] = value;
        if (number == PERF_REG_X86_IP)
            moment->pc = value;
    }
    at += (2 + n) * sizeof *words;
    memcpy(moment->stack, at, bytes);
    memcpy(&moment->stack_bytes, at + bytes, sizeof moment->stack_bytes);
    return moment->has_all = true;
}

static bool read_ring(HieraStackMoment *moment, const struct perf_event_mmap_page *page)
{
    const char *ring = (const char *)page + 4096;
    uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    for (uint64_t at = 0; at + sizeof(struct perf_event_header) <= head && head <= RING;) {
        const struct perf_event_header *event = (const void *)(ring + at);
        if (event->type == PERF_RECORD_SAMPLE)
            return take_sample(moment, (const char *)(event + 1), (const char *)event + event->size);
        at += event->size;
    }
    return false;
}

/* Returns whether the thread was on a processor meanwhile. */
static bool sample(HieraStackMoment *moment, int *refusal)
{
    int file = open_event(moment->thread);
    *refusal = file < 0 ? errno : 0;
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, 4096 + RING, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    struct pollfd ready = {.fd = file, .events = POLLIN};
    bool good = page != MAP_FAILED && poll(&ready, 1, PATIENCE_MS) > 0 && ioctl(file, PERF_EVENT_IOC_DISABLE, 0) == 0 &&
                read_ring(moment, page);
    if (page != MAP_FAILED)
        munmap(page, 4096 + RING);
    if (file >= 0)
        close(file);
    return good;
}

/* --- a thread that waits in the kernel --- */

bool hiera_stack_read(pid_t pid, uint64_t address, void *to, size_t bytes)
{
    struct iovec here = {to, bytes}, there = {(void *)(uintptr_t)address, bytes};
    return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

/* Read a file of the thread in /proc. */
static bool read_file(const HieraStackMoment *moment, const char *name, char *text, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)moment->pid, (int)moment->thread, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = file >= 0 ? read(file, text, room - 1) : -1;
    if (file >= 0)
        close(file);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* The last two numbers of /proc/PID/syscall are SP and PC. */
static bool ask_kernel(HieraStackMoment *moment)
{
    char line[256];
    char *last = read_file(moment, "syscall", line, sizeof line) ? strrchr(line, ' ') : NULL;
    if (!last)
        return false;
    moment->pc = strtoull(last, NULL, 16);
    *last = '\0';
    char *before = strrchr(line, ' ');
    moment->registers[HIERA_DWARF_SP] = before ? strtoull(before, NULL, 16) : 0;
    return moment->pc != 0 && moment->registers[HIERA_DWARF_SP] != 0;
}

/* Whether the thread wants a processor: the letter after its name in parentheses. */
static bool wants_processor(const HieraStackMoment *moment)
{
    char line[256];
    const char *name = read_file(moment, "stat", line, sizeof line) ? strrchr(line, ')') : NULL;
    return name && strncmp(name, ") R", 3) == 0;
}

const char *hiera_stack_moment_take(HieraStackMoment *moment, pid_t pid, pid_t thread)
{
    int refusal = 0;
    *moment = (HieraStackMoment){.pid = pid, .thread = thread};
    bool runs = wants_processor(moment);
    if ((!runs && ask_kernel(moment)) || sample(moment, &refusal) || (runs && ask_kernel(moment)))
        return NULL;
    return refusal ? strerror(refusal) : runs ? "it had no processor meanwhile" : "the kernel does not say where it is";
}

#endif
