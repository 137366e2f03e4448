/* Waiting ranks of Debian's MPICH look for messages, and at their begin and end for each other, in loops that never
 * give up the processor. If there are more ranks than processors, waiting ranks keep the others from working. This
 * library is preloaded: it lets other processes run first, and sleeps if no message comes for long. */
#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LONG = 200 };

typedef unsigned Progress(void *worker);

Progress ucp_worker_progress;

/* A module that is loaded later (mpi4py) may load MPI's library where dlsym(RTLD_NEXT) does not find it. */
static Progress *find_progress(void)
{
    Progress *next = (Progress *)dlsym(RTLD_NEXT, "ucp_worker_progress");
    return next ? next : (Progress *)dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD), "ucp_worker_progress");
}

static void yield(unsigned idle)
{
    static const struct timespec moment = {0, 1000};
    if (idle > LONG)
        nanosleep(&moment, NULL);
    else if (idle > 0)
        sched_yield();
}

unsigned ucp_worker_progress(void *worker)
{
    static Progress *progress;
    static __thread unsigned idle;
    if (!progress)
        progress = find_progress();
    unsigned events = progress(worker);
    idle = events == 0 ? idle + 1 : 0;
    yield(idle);
    return events;
}

#ifdef MPICH_LOOP
/* --- MPI_Init and MPI_Finalize: `while (barrier->wait == sense);` --- */

enum { LENGTH = 20, BARRIER = 3, SENSE = 12, END = 16 };

static volatile int *volatile *barrier;
static volatile int *sense;

/* The same, which yields. The loop is in a function without a frame, and needs no register but the answer. */
__attribute__((force_align_arg_pointer)) static int wait_for_others(void)
{
    for (unsigned idle = 1; (*barrier)[1] == *sense; idle++)
        yield(idle);
    return *sense;
}

static bool is_loop(const unsigned char *code)
{
    return memcmp(code, "\x48\x8b\x05", 3) == 0 && memcmp(code + 7, "\x8b\x50\x04\x8b\x05", 5) == 0 &&
           memcmp(code + END, "\x39\xd0\x74\xec", 4) == 0;
}

/* What an instruction that ends behind its operand refers to. */
static void *referred(unsigned char *operand)
{
    int distance;
    memcpy(&distance, operand, sizeof distance);
    return operand + sizeof distance + distance;
}

/* mov $wait_for_others, %rax; call *%rax; nop */
static void call_instead(unsigned char *loop)
{
    unsigned char code[LENGTH] = {0x48, 0xb8, [10] = 0xff, 0xd0, 0x0f, 0x1f, 0x84};
    int (*function)(void) = wait_for_others;
    unsigned char *page = loop - (size_t)loop % (size_t)sysconf(_SC_PAGESIZE);
    size_t length = (size_t)(loop + LENGTH - page);
    memcpy(code + 2, &function, sizeof function);
    barrier = (volatile int *volatile *)referred(loop + BARRIER);
    sense = (volatile int *)referred(loop + SENSE);
    if (mprotect(page, length, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
        memcpy(loop, code, LENGTH);
        mprotect(page, length, PROT_READ | PROT_EXEC);
    }
}

static int find_loop(struct dl_phdr_info *object, size_t size, void *nothing)
{
    (void)size, (void)nothing;
    if (!strstr(object->dlpi_name, "/libmpich.so"))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        unsigned char *loop = (unsigned char *)object->dlpi_addr + MPICH_LOOP;
        if ((part->p_flags & PF_X) && MPICH_LOOP - part->p_vaddr < part->p_memsz && is_loop(loop))
            call_instead(loop);
    }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    dl_iterate_phdr(find_loop, NULL);
}
#endif
