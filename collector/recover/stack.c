/* See stack.h. Registers and the top of the stack are from one sample of perf_event_open(); elfutils' libdwfl unwinds.
 * The rest of the memory is read with process_vm_readv(). */
#include "stack.h"

#include <stdio.h>
#include <string.h>

#if defined(HIERA_HAVE_LIBDW) && defined(__x86_64__)

#include <asm/perf_regs.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { STACK = 16 << 10, RING = 32 << 12, PERIOD_NS = 50000, PATIENCE_MS = 20, FRAMES = 12, DWARF_REGISTERS = 16 };

/* Numbers of registers: in DWARF, from 0 on, those of perf. */
static const uint8_t perf_of[DWARF_REGISTERS] = {
    PERF_REG_X86_AX,  PERF_REG_X86_DX,  PERF_REG_X86_CX,  PERF_REG_X86_BX, PERF_REG_X86_SI,  PERF_REG_X86_DI,
    PERF_REG_X86_BP,  PERF_REG_X86_SP,  PERF_REG_X86_R8,  PERF_REG_X86_R9, PERF_REG_X86_R10, PERF_REG_X86_R11,
    PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14, PERF_REG_X86_R15};

typedef struct Moment {
    pid_t pid;
    bool has_all; /* all registers are known, not only SP and PC */
    uint64_t registers[DWARF_REGISTERS], pc;
    uint64_t stack_bytes;
    char stack[STACK]; /* memory from SP on */
    char *text;
    size_t room;
    unsigned n;
} Moment;

enum { SP = 7 };

/* --- a sample of a thread that is on a processor --- */

static uint64_t wanted_registers(void)
{
    uint64_t mask = UINT64_C(1) << PERF_REG_X86_IP;
    for (int i = 0; i < DWARF_REGISTERS; i++)
        mask |= UINT64_C(1) << perf_of[i];
    return mask;
}

static int open_event(pid_t pid)
{
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_TASK_CLOCK,
                                    .sample_period = PERIOD_NS,
                                    .sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
                                    .sample_regs_user = wanted_registers(),
                                    .sample_stack_user = STACK,
                                    .exclude_kernel = 1,
                                    .wakeup_events = 1};
    return (int)syscall(SYS_perf_event_open, &event, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Copy a sample: ABI, registers by rising number, then the stack's bytes and how many of them are valid. */
static bool take_sample(Moment *moment, const char *at, const char *end)
{
    uint64_t words[32], mask = wanted_registers(), bytes;
    size_t n = (size_t)__builtin_popcountll(mask), k = 0;
    if ((size_t)(end - at) < (2 + n) * sizeof *words)
        return false;
    memcpy(words, at, (2 + n) * sizeof *words);
    bytes = words[1 + n];
    if (words[0] != PERF_SAMPLE_REGS_ABI_64 || bytes > STACK || (size_t)(end - at) < (3 + n) * sizeof *words + bytes)
        return false;
    for (int number = 0; number < 64; number++) {
        if (!(mask >> number & 1))
            continue;
        uint64_t value = words[1 + k++];
        for (int i = 0; i < DWARF_REGISTERS; i++)
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

static bool read_ring(Moment *moment, const struct perf_event_mmap_page *page)
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
static bool sample(Moment *moment, int *refusal)
{
    int file = open_event(moment->pid);
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

static bool read_memory(pid_t pid, uint64_t address, void *to, size_t bytes)
{
    struct iovec here = {to, bytes}, there = {(void *)(uintptr_t)address, bytes};
    return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

/* The last two numbers of /proc/PID/syscall are SP and PC. */
static bool ask_kernel(Moment *moment)
{
    char path[64], line[256] = "";
    snprintf(path, sizeof path, "/proc/%d/syscall", (int)moment->pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = file >= 0 ? read(file, line, sizeof line - 1) : -1;
    if (file >= 0)
        close(file);
    char *last = n > 0 ? strrchr(line, ' ') : NULL;
    if (!last)
        return false;
    moment->pc = strtoull(last, NULL, 16);
    *last = '\0';
    char *before = strrchr(line, ' ');
    moment->registers[SP] = before ? strtoull(before, NULL, 16) : 0;
    return moment->pc != 0 && moment->registers[SP] != 0;
}

/* --- unwinding --- */

static pid_t next_thread(Dwfl *dwfl, void *data, void **thread)
{
    const Moment *moment = data;
    (void)dwfl;
    if (*thread)
        return 0;
    *thread = data;
    return moment->pid;
}

static bool read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *data)
{
    const Moment *moment = data;
    uint64_t from = address - moment->registers[SP];
    (void)dwfl;
    if (from > moment->stack_bytes || moment->stack_bytes - from < sizeof *word)
        return read_memory(moment->pid, address, word, sizeof *word);
    memcpy(word, moment->stack + from, sizeof *word);
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *data)
{
    const Moment *moment = data;
    int first = moment->has_all ? 0 : SP;
    unsigned n = moment->has_all ? DWARF_REGISTERS : 1;
    dwfl_thread_state_register_pc(thread, moment->pc);
    return dwfl_thread_state_registers(thread, first, n, moment->registers + first);
}

static void append(Moment *moment, const char *name, const char *file, int line)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    const char *before = moment->n > 0 ? " < " : "";
    int length = (int)strcspn(name, "@"); /* without the version of a symbol */
    int n = file ? snprintf(moment->text, moment->room, "%s%.*s (%s:%d)", before, length, name,
                            slash ? slash + 1 : file, line)
                 : snprintf(moment->text, moment->room, "%s%.*s", before, length, name);
    size_t step = n > 0 && (size_t)n < moment->room ? (size_t)n : 0;
    moment->text += step;
    moment->room -= step;
    *moment->text = '\0';
    moment->n += step > 0;
}

static int visit(Dwfl_Frame *frame, void *data)
{
    Moment *moment = data;
    Dwarf_Addr pc;
    bool is_exact;
    int line = 0;
    if (!dwfl_frame_pc(frame, &pc, &is_exact))
        return DWARF_CB_ABORT;
    pc -= is_exact ? 0 : 1;
    Dwfl_Module *module = dwfl_addrmodule(dwfl_thread_dwfl(dwfl_frame_thread(frame)), pc);
    const char *name = module ? dwfl_module_addrname(module, pc) : NULL;
    Dwfl_Line *source = module ? dwfl_module_getsrc(module, pc) : NULL;
    const char *file = source ? dwfl_lineinfo(source, NULL, &line, NULL, NULL, NULL) : NULL;
    append(moment, name ? name : "?", file, line);
    bool is_begin = name && (strcmp(name, "main") == 0 || strcmp(name, "_start") == 0);
    return is_begin || moment->n >= FRAMES ? DWARF_CB_ABORT : DWARF_CB_OK;
}

static void unwind(Moment *moment)
{
    static const Dwfl_Callbacks files = {.find_elf = dwfl_linux_proc_find_elf,
                                         .find_debuginfo = dwfl_standard_find_debuginfo};
    static const Dwfl_Thread_Callbacks threads = {
        .next_thread = next_thread, .memory_read = read_word, .set_initial_registers = set_registers};
    Dwfl *dwfl = dwfl_begin(&files);
    if (dwfl && dwfl_linux_proc_report(dwfl, moment->pid) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0 &&
        dwfl_attach_state(dwfl, NULL, moment->pid, &threads, moment))
        dwfl_getthread_frames(dwfl, moment->pid, visit, moment);
    if (dwfl)
        dwfl_end(dwfl);
}

void hiera_stack_describe(pid_t pid, char *text, size_t room)
{
    static Moment moment;
    int refusal;
    moment = (Moment){.pid = pid, .text = text, .room = room};
    text[0] = '\0';
    if (sample(&moment, &refusal) || ask_kernel(&moment))
        unwind(&moment);
    if (text[0] == '\0')
        snprintf(text, room, "(%s)", refusal ? strerror(refusal) : "the kernel does not say where it is");
}

#else

void hiera_stack_describe(pid_t pid, char *text, size_t room)
{
    (void)pid;
    snprintf(text, room, "(Hiera was built without libdw, or for another processor than x86-64)");
}

#endif
