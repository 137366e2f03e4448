/* See stack.h. elfutils' libdwfl unwinds; memory that a sample does not have is read from the process. */
#include "stack.h"

#include <stdio.h>
#include <string.h>

#if defined(HIERA_HAVE_LIBDW) && defined(__x86_64__)

#include "stack_moment.h"

#include <dirent.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>

enum { FRAMES = 12, THREADS = 64, LINE = 2048, GROUPS = 8 };

/* Threads whose stacks read the same. */
typedef struct Group {
    char text[LINE];
    unsigned threads;
} Group;

/* Of one process. */
typedef struct Others {
    Group groups[GROUPS];
    unsigned n, left_out; /* groups; threads that are in none */
} Others;

typedef struct Walk {
    HieraStackMoment moment;
    char *text; /* end of the text; there is `room` behind it */
    size_t room;
    unsigned n;         /* frames */
    bool is_of_program; /* some frame is in neither MPI nor libc */
} Walk;

static void append(Walk *walk, const char *name, const char *file, int line)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    const char *before = walk->n > 0 ? " < " : "";
    int length = (int)strcspn(name, "@"); /* without the version of a symbol */
    int n =
        file ? snprintf(walk->text, walk->room, "%s%.*s (%s:%d)", before, length, name, slash ? slash + 1 : file, line)
             : snprintf(walk->text, walk->room, "%s%.*s", before, length, name);
    size_t step = n > 0 && (size_t)n < walk->room ? (size_t)n : 0;
    walk->text += step;
    walk->room -= step;
    *walk->text = '\0';
    walk->n += step > 0;
}

static bool is_one_of(const char *const *words, const char *name, size_t n)
{
    for (; *words; words++)
        if (strncmp(name, *words, n ? n : strlen(*words)) == 0 && (!n || strlen(*words) == n))
            return true;
    return false;
}

/* Whether a loaded file is one of MPI, of what MPI sends with, or of libc. */
static bool is_of_system(const char *path)
{
    static const char *const begins[] = {"libmpi.so", "libmpi_",   "libmpich", "libopen-", "libpmix", "libevent",
                                         "libuc",     "libfabric", "libhiera", "mca_",     "libc.so", NULL};
    const char *slash = path ? strrchr(path, '/') : NULL;
    return is_one_of(begins, slash ? slash + 1 : "", 0);
}

/* --- what libdwfl asks for --- */

static pid_t next_thread(Dwfl *dwfl, void *data, void **thread)
{
    const Walk *walk = data;
    (void)dwfl;
    if (*thread)
        return 0;
    *thread = data;
    return walk->moment.thread;
}

static bool read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *data)
{
    const HieraStackMoment *moment = &((const Walk *)data)->moment;
    uint64_t from = address - moment->registers[HIERA_DWARF_SP];
    (void)dwfl;
    if (from > moment->stack_bytes || moment->stack_bytes - from < sizeof *word)
        return hiera_stack_read(moment->pid, address, word, sizeof *word);
    memcpy(word, moment->stack + from, sizeof *word);
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *data)
{
    const HieraStackMoment *moment = &((const Walk *)data)->moment;
    int first = moment->has_all ? 0 : HIERA_DWARF_SP;
    unsigned n = moment->has_all ? HIERA_DWARF_REGISTERS : 1;
    dwfl_thread_state_register_pc(thread, moment->pc);
    return dwfl_thread_state_registers(thread, first, n, moment->registers + first);
}

static int visit(Dwfl_Frame *frame, void *data)
{
    static const char *const first[] = {"main", "_start", NULL}, *const of_threads[] = {"start_thread", "clone3", NULL};
    Walk *walk = data;
    Dwarf_Addr pc;
    bool is_exact;
    int line = 0;
    if (!dwfl_frame_pc(frame, &pc, &is_exact))
        return DWARF_CB_ABORT;
    pc -= is_exact ? 0 : 1;
    Dwfl_Module *module = dwfl_addrmodule(dwfl_thread_dwfl(dwfl_frame_thread(frame)), pc);
    const char *name = module ? dwfl_module_addrname(module, pc) : NULL;
    const char *path = module ? dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL) : NULL;
    if (name && walk->n > 0 && is_one_of(of_threads, name, strcspn(name, "@")))
        return DWARF_CB_ABORT;
    Dwfl_Line *source = module ? dwfl_module_getsrc(module, pc) : NULL;
    const char *file = source ? dwfl_lineinfo(source, NULL, &line, NULL, NULL, NULL) : NULL;
    append(walk, name ? name : "?", file, line);
    walk->is_of_program |= !is_of_system(path);
    return (name && is_one_of(first, name, strlen(name))) || walk->n >= FRAMES ? DWARF_CB_ABORT : DWARF_CB_OK;
}

static Dwfl *begin(Walk *walk, pid_t pid)
{
    static const Dwfl_Callbacks files = {.find_elf = dwfl_linux_proc_find_elf,
                                         .find_debuginfo = dwfl_standard_find_debuginfo};
    static const Dwfl_Thread_Callbacks threads = {
        .next_thread = next_thread, .memory_read = read_word, .set_initial_registers = set_registers};
    Dwfl *dwfl = dwfl_begin(&files);
    if (dwfl && dwfl_linux_proc_report(dwfl, pid) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0 &&
        dwfl_attach_state(dwfl, NULL, pid, &threads, walk))
        return dwfl;
    if (dwfl)
        dwfl_end(dwfl);
    return NULL;
}

/* --- all threads --- */

/* Write the stack of a thread. Returns whether it is one of the program: not one of MPI, which waits for its own. */
static bool describe_one(Dwfl *dwfl, Walk *walk, pid_t pid, pid_t thread, char *text)
{
    const char *problem = hiera_stack_moment_take(&walk->moment, pid, thread);
    walk->text = text;
    walk->room = LINE;
    walk->n = 0;
    walk->is_of_program = false;
    text[0] = '\0';
    if (!problem && dwfl)
        dwfl_getthread_frames(dwfl, thread, visit, walk);
    if (text[0] == '\0')
        snprintf(text, LINE, "(%s)", problem ? problem : "its stack cannot be unwound");
    return walk->n == 0 || walk->is_of_program;
}

/* Put a stack to those that read the same. */
static void add(Others *others, const char *text)
{
    unsigned i = 0;
    while (i < others->n && strcmp(others->groups[i].text, text) != 0)
        i++;
    if (i == GROUPS) {
        others->left_out++;
        return;
    }
    if (i == others->n)
        snprintf(others->groups[others->n++].text, LINE, "%s", text);
    others->groups[i].threads++;
}

static void write_others(const Others *others, char *text, size_t room)
{
    size_t used = strlen(text);
    for (unsigned i = 0; i < others->n && used < room; i++) {
        const Group *group = &others->groups[i];
        char many[32];
        snprintf(many, sizeof many, group->threads == 1 ? "a thread" : "%u threads", group->threads);
        used += (size_t)snprintf(text + used, room - used, "; %s: %s", many, group->text);
    }
    if (others->left_out > 0 && used < room)
        snprintf(text + used, room - used, "; %u more threads", others->left_out);
}

/* Describe the threads other than the main thread. */
static void describe_others(Dwfl *dwfl, Walk *walk, char *text, size_t room)
{
    static Others others;
    static char line[LINE];
    unsigned seen = 0;
    pid_t pid = walk->moment.pid;
    snprintf(line, sizeof line, "/proc/%d/task", (int)pid);
    DIR *list = opendir(line);
    for (const struct dirent *entry; list && (entry = readdir(list));) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        if (thread <= 0 || thread == pid)
            continue;
        if (++seen > THREADS)
            others.left_out++;
        else if (describe_one(dwfl, walk, pid, thread, line))
            add(&others, line);
    }
    if (list)
        closedir(list);
    write_others(&others, text, room);
}

void hiera_stack_describe(pid_t pid, char *text, size_t room)
{
    static Walk walk;
    static char line[LINE];
    Dwfl *dwfl = begin(&walk, pid);
    describe_one(dwfl, &walk, pid, pid, line);
    snprintf(text, room, "%s", line);
    describe_others(dwfl, &walk, text, room);
    if (dwfl)
        dwfl_end(dwfl);
}

#else

void hiera_stack_describe(pid_t pid, char *text, size_t room)
{
    (void)pid;
    snprintf(text, room, "(Hiera was built without libdw, or for another processor than x86-64)");
}

#endif
