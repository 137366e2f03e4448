/* See doctor.h. What this machine, and the limits of this process, allow a recording. */
#include "base/clock.h"
#include "base/event_group.h"
#include "base/settings.h"
#include "doctor.h"
#include "left.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <mntent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MB = 1 << 20 };

static unsigned long long free_mb(const char *path)
{
    struct statvfs facts;
    return statvfs(path, &facts) == 0 ? (unsigned long long)facts.f_bavail * facts.f_frsize / MB : 0;
}

/* The folder itself if it is there, else the nearest one above it that is. */
static char *existing(const char *folder)
{
    char *path = hiera_words_format("%s", folder), *slash;
    while (access(path, F_OK) != 0 && errno == ENOENT && (slash = strrchr(path, '/')))
        slash[slash == path] = '\0';
    return path;
}

/* The type of the file system of a folder, as the list of mounts has it. */
static const char *file_system_of(const char *folder)
{
    char *real = realpath(folder, NULL);
    const char *type = "unknown";
    size_t longest = 0;
    FILE *mounts = real ? setmntent("/proc/self/mounts", "r") : NULL;
    for (struct mntent *row; mounts && (row = getmntent(mounts));) {
        size_t n = strlen(row->mnt_dir);
        if (n >= longest && strncmp(real, row->mnt_dir, n) == 0 && (n == 1 || !real[n] || real[n] == '/')) {
            longest = n;
            type = hiera_words_format("%s", row->mnt_type);
        }
    }
    if (mounts)
        endmntent(mounts);
    free(real);
    return type;
}

static bool is_of_network(const char *type)
{
    static const char *const types[] = {"nfs", "lustre", "gpfs",  "beegfs", "cifs",
                                        "smb", "ceph",   "fuse.", "9p",     "pvfs"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (hiera_words_begins(type, types[i]))
            return true;
    return false;
}

/* Whether a file can be made in a folder: of root, and of some file systems, its rights do not say so. */
static bool takes_files(const char *folder)
{
    char *path = hiera_words_format("%s/.hiera-doctor-XXXXXX", folder);
    int fd = mkstemp(path);
    if (fd < 0)
        return false;
    close(fd);
    unlink(path);
    return true;
}

static void print_folder(void)
{
    enum { LITTLE = 100 };
    const char *folder = hiera_left_folder(), *here = existing(folder), *type = file_system_of(here);
    unsigned long long room = free_mb(here);
    if (!takes_files(here)) {
        hiera_doctor_row(HIERA_HEALTH_BAD, "folder", "%s cannot be written: %s", here, strerror(errno));
        hiera_doctor_advise("hiera-run --dir=FOLDER …");
        return;
    }
    hiera_doctor_row(room < LITTLE ? HIERA_HEALTH_LESS : HIERA_HEALTH_GOOD, "folder", "%s on %s, %llu MB are free",
                     folder, type, room);
    if (room < LITTLE)
        hiera_doctor_advise("a call takes 200 bytes at most: HIERA_MODE=profile takes none, HIERA_FOLD=times few");
    if (is_of_network(type))
        hiera_doctor_row(
            HIERA_HEALTH_LESS, "folder",
            "a file system of a network: with many ranks HIERA_CONTAINER=node makes one file of each host");
    if (access(hiera_words_format("%s/hieraCollector.xml", here), F_OK) == 0 && strcmp(folder, here) == 0)
        hiera_doctor_row(HIERA_HEALTH_LESS, "folder", "it has traces of an earlier run, which the next one replaces");
}

/* Memory that outlives a killed rank. */
static void print_memory(void)
{
    enum { LITTLE = 64 };
    const char *survive = getenv("HIERA_SURVIVE");
    unsigned long long room = free_mb("/dev/shm");
    if (survive && strcmp(survive, "off") == 0)
        hiera_doctor_row(HIERA_HEALTH_LESS, "memory",
                         "HIERA_SURVIVE=off: a rank that is killed loses its last buffers");
    else if (survive && strcmp(survive, "folder") == 0)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "memory", "HIERA_SURVIVE=folder: what a killed rank had is in the folder");
    else if (access("/dev/shm", W_OK) != 0 || room <= LITTLE)
        hiera_doctor_row(HIERA_HEALTH_LESS, "memory",
                         "/dev/shm has %llu MB: what a killed rank had goes into the folder, or is lost", room);
    else
        hiera_doctor_row(HIERA_HEALTH_GOOD, "memory",
                         "/dev/shm has %llu MB; a rank takes 1 MB there, so that its last calls survive a kill", room);
}

static int number_in(const char *path)
{
    int number = -1;
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%d", &number) != 1)
        number = -1;
    if (file)
        fclose(file);
    return number;
}

/* Of these processors the number of cores: those that are the first of their core. */
static unsigned cores_of(const cpu_set_t *set, size_t size)
{
    unsigned n = 0;
    for (int i = 0; i < (int)size * CHAR_BIT; i++)
        if (CPU_ISSET_S((size_t)i, size, set)) {
            int one = number_in(hiera_words_format("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", i));
            n += one < 0 || one == i;
        }
    return n;
}

static bool is_in_batch(void)
{
    return getenv("SLURM_JOB_ID") || getenv("PBS_JOBID") || getenv("LSB_JOBID") || getenv("PE_HOSTFILE");
}

static void print_processors(unsigned long ranks, bool has_slots)
{
    cpu_set_t set[16] = {0};
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    const char *threads = getenv("OMP_NUM_THREADS");
    unsigned long count = threads ? strtoul(threads, NULL, 10) : 1;
    unsigned allowed = sched_getaffinity(0, sizeof set, set) == 0 ? (unsigned)CPU_COUNT_S(sizeof set, set) : 0;
    const char *wanted = ranks > 0 ? hiera_words_format("; %lu ranks%s%s", ranks,
                                                        threads ? " with OMP_NUM_THREADS=" : "", threads ? threads : "")
                                   : "";
    bool is_short = ranks * (count > 0 ? count : 1) > allowed,
         is_refused = has_slots && !is_in_batch() && ranks > cores_of(set, sizeof set);
    hiera_doctor_row(is_refused ? HIERA_HEALTH_MAYBE
                     : is_short ? HIERA_HEALTH_LESS
                                : HIERA_HEALTH_GOOD,
                     "processors", "this process may use %u of %ld here%s", allowed, all, wanted);
    if (is_refused)
        hiera_doctor_advise("if all ranks are to run here, Open MPI refuses more of them than cores: mpirun "
                            "--oversubscribe");
    if (is_short)
        hiera_doctor_advise("if all ranks are to run here, they wait for processors, and times say so");
}

static rlim_t limit(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

static void print_limits(void)
{
    enum { FEW = 64 };
    rlim_t files = limit(RLIMIT_NOFILE), size = limit(RLIMIT_FSIZE), memory = limit(RLIMIT_AS);
    hiera_doctor_row(files < FEW ? HIERA_HEALTH_LESS : HIERA_HEALTH_GOOD, "limits", "%llu open files (ulimit -n)",
                     (unsigned long long)files);
    if (size != RLIM_INFINITY)
        hiera_doctor_row(HIERA_HEALTH_LESS, "limits",
                         "a file may have %llu MB (ulimit -f): what does not fit into a trace is counted, not written",
                         (unsigned long long)size / MB);
    if (memory != RLIM_INFINITY)
        hiera_doctor_row(
            HIERA_HEALTH_LESS, "limits",
            "a process may have %llu MB of addresses (ulimit -v): Hiera needs 3 MB, and half a MB for a thread",
            (unsigned long long)memory / MB);
}

static void print_kernel(void)
{
    struct perf_event_attr event = {.type = PERF_TYPE_HARDWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_HW_INSTRUCTIONS,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
    int scope = number_in("/proc/sys/kernel/yama/ptrace_scope"),
        fd = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
    if (fd >= 0) {
        hiera_doctor_row(HIERA_HEALTH_GOOD, "counters", "the processor counts events (perf_event_paranoid is %d)",
                         number_in("/proc/sys/kernel/perf_event_paranoid"));
        close(fd);
    } else
        hiera_doctor_row(HIERA_HEALTH_LESS, "counters", "HIERA_COUNTERS=perf:instructions: %s",
                         hiera_events_reason(errno));
    if (scope > 1)
        hiera_doctor_row(HIERA_HEALTH_LESS, "ptrace",
                         "ptrace_scope is %d: HIERA_LOOPS and HIERA_SEARCH cannot stop threads to change functions",
                         scope);
    else
        hiera_doctor_row(HIERA_HEALTH_GOOD, "ptrace",
                         "a process may stop threads of its own, for HIERA_LOOPS and HIERA_SEARCH");
}

static void print_clock(void)
{
    hiera_settings_read();
    hiera_clock_start(hiera_settings.clock);
    if (strcmp(hiera_settings.clock, "kernel") == 0)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "clock", "that of the kernel, as HIERA_MORE says");
    else if (hiera_clock_uses_counter)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "clock", "the counter of the processor, which has one speed");
    else
        hiera_doctor_row(
            HIERA_HEALTH_LESS, "clock",
            "that of the kernel: the counter of the processor is not reliable here, so a call costs some 30 ns more");
}

static void print_container(void)
{
    static const char *const files[] = {"/.dockerenv", "/run/.containerenv", "/.singularity.d"};
    static const char *const variables[] = {"APPTAINER_CONTAINER", "SINGULARITY_CONTAINER", "container"};
    const char *sign = NULL;
    for (size_t i = 0; i < 3 && !sign; i++)
        sign = access(files[i], F_OK) == 0 ? files[i] : getenv(variables[i]) ? variables[i] : NULL;
    if (!sign)
        return;
    hiera_doctor_row(HIERA_HEALTH_LESS, "container",
                     "this is one (%s): a launcher outside of it must be of the same MPI, and folder and Hiera must be "
                     "seen from inside",
                     sign);
    hiera_doctor_advise("docs/cluster.md, Containers");
}

void hiera_doctor_host(unsigned long ranks, bool has_slots)
{
    print_folder();
    print_memory();
    print_processors(ranks, has_slots);
    print_limits();
    print_kernel();
    print_clock();
    print_container();
}
