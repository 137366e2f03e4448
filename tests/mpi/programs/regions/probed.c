/* Probes of the program, sections and events that come by themselves, with known answers. The word says what the program does. */
#include "expect.h"

#include <fcntl.h>
#include <hiera.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STEPS = 6 };

static int rank;

/* `evaluated` counts how often an argument is. */
static int evaluated;
static int count_it(void)
{
    return ++evaluated;
}

static void probes(void)
{
    double x = 0.5;
    const char *who = "me";
    unsigned long large = (1UL << 63) - 3; /* from 2^63 on it is no integer of scripts */
    unsigned long long longer = (1ULL << 63) - 3;
    const unsigned most = ~0u;
    for (int n = 0; n < STEPS; n++) {
        HIERA_PROBE("bare");
        HIERA_PROBE("heat", n, 2 * x, "a, (text", who, n > 2, (unsigned char)n, rank);
        HIERA_PROBE("unasked", count_it());
        HIERA_PROBE("large", large, longer, most);
        large++;
        longer++;
    }
    printf("evaluated %d\n", evaluated);
}

static void section(const char *script)
{
    int started = hiera_probes_start(script);
    for (int i = 0; i < STEPS; i++) {
        HIERA_REGION("app", "step", NULL);
        HIERA_PROBE("in section", i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (started)
        hiera_probes_stop();
    printf("started %d\n", started);
}

static void sections(void)
{
    static const char script[] = "call::[end]::barrier { @barriers = count(); } region::[stop]::step { @steps = count(); } "
                                 "\"in section\" { @values = sum(&i); } END { print(@barriers); print(@steps); print(@values); }";
    for (int i = 0; i < 3; i++) {
        section(script);
        section(NULL); /* none, unless HIERA_PROBE waits: then the first time */
    }
    section("call::[end]::barier { @n = count(); }");
}

/* One thread starts and stops scripts while another one comes to probes that are new. */
static bool done;
static void *come_to_new_probes(void *nothing)
{
    static const char sites[1 << 22];
    const struct hiera_probe_value value = {.type = HIERA_VALUE_OF_INTEGER, .integer = 1};
    for (size_t i = 0; i < sizeof sites && !__atomic_load_n(&done, __ATOMIC_RELAXED); i++)
        hiera_probe_named(&sites[i], "new", "n", &value, 1);
    return nothing;
}

static void sections_beside_probes(void)
{
    pthread_t other;
    int started = 0;
    if (hiera_probes_start("new { @n = sum(&n); } END { print(@n); }"))
        hiera_probes_stop();
    pthread_create(&other, NULL, come_to_new_probes, NULL);
    for (int i = 0; i < 80; i++)
        if (hiera_probes_start("new { @n = sum(&n); }")) {
            started++;
            hiera_probes_stop();
        }
    __atomic_store_n(&done, true, __ATOMIC_RELAXED);
    pthread_join(other, NULL);
    printf("some started: %d\n", started > 0);
}

static int heard, off_heard;

static void hear(const struct hiera_event *event, void *data)
{
    double bytes = -1, duration = -1, line = -1, none = -1;
    char call[32] = "none", cut[3];
    bool good = hiera_event_number(event, "bytes", &bytes) && bytes == 8 && hiera_event_number(event, "duration", &duration) &&
                duration >= 0 && hiera_event_number(event, "line", &line) && line > 0 &&
                hiera_event_text(event, "call", call, sizeof call) && strcmp(call, "broadcast") == 0 &&
                hiera_event_text(event, "call", cut, sizeof cut) && strcmp(cut, "br") == 0 &&
                !hiera_event_number(event, "call", &none) && !hiera_event_number(event, "no such", &none);
    *(int *)data += good ? 1 : 1000;
    MPI_Barrier(MPI_COMM_SELF); /* is no event, and not recorded */
}

static void add_value(const struct hiera_event *event, void *data)
{
    double n = 0;
    if (hiera_event_number(event, "arg1", &n))
        *(double *)data += n;
}

static void listen(void)
{
    double sum = 0;
    int buffer[2] = {0, 0}, wrong = hiera_on("call::[end]::broadcat", hear, &heard);
    int first = hiera_on("call::[end]::broadcast /&bytes == 8/", hear, &heard), second = hiera_on("call::[end]::barrier", hear, &off_heard),
        third = hiera_on("heat /&n > 2/", add_value, &sum);
    hiera_off(second);
    for (int n = 0; n < STEPS; n++) {
        MPI_Bcast(buffer, 2, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        HIERA_PROBE("heat", n);
    }
    hiera_off(first);
    hiera_off(third);
    hiera_off(99);
    MPI_Bcast(buffer, 2, MPI_INT, 0, MPI_COMM_WORLD);
    HIERA_PROBE("heat", 100);
    printf("wrong %d, numbers %d, heard %d and %d, sum %g\n", wrong, first > 0 && second > 0 && third > 0, heard, off_heard, sum);
}

/* Takes memory, and samples a counter. */
static void samples(void)
{
    for (int i = 0; i < STEPS; i++) {
        enum { BYTES = 16 << 20 };
        char *memory = malloc(BYTES);
        for (int at = 0; at < BYTES; at += 4096)
            ((volatile char *)memory)[at] = 1;
        hiera_counter_sample("grid", i * 2.5);
        usleep(60000);
    }
}

/* A file that all ranks have open. It has no content: ranks lock bytes of it, and who ends holds no lock any more. */
static int open_common_file(void)
{
    int place[2] = {getpid(), memfd_create("ends", 0)};
    char path[64];
    MPI_Bcast(place, 2, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", place[0], place[1]);
    return rank == 0 ? place[1] : open(path, O_RDWR);
}

static void lock(int file, int type, int of)
{
    struct flock byte = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = of, .l_len = 1};
    if (fcntl(file, F_SETLKW, &byte) != 0)
        perror("lock");
}

/* A rank ends amid its steps: it is killed (0), or calls _exit (1). The others go on, and never call MPI again. */
static void ends(int how, int who)
{
    int ranks, file = open_common_file();
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    lock(file, F_WRLCK, rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 100; i++) {
        {
            HIERA_REGION("app", "step", NULL);
        }
        if (rank == who && i == 49) {
            if (how == 0)
                raise(SIGKILL);
            _exit(0);
        }
        if (rank != who && i == 49)
            lock(file, F_RDLCK, who); /* it has ended */
        usleep(rank == who ? 10 : 1000);
    }
    {
        HIERA_REGION("app", "late", NULL);
    }
    printf("rank %d goes on\n", rank);
    fflush(stdout);
    lock(file, F_UNLCK, rank);
    for (int other = 0; other < ranks; other++)
        lock(file, F_RDLCK, other); /* it has come as far */
    _exit(0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "probes") == 0)
        probes();
    else if (strcmp(word, "sections") == 0)
        sections();
    else if (strcmp(word, "beside") == 0)
        sections_beside_probes();
    else if (strcmp(word, "listen") == 0)
        listen();
    else if (strcmp(word, "ends") == 0)
        ends(atoi(argv[2]), atoi(argv[3]));
    else
        samples();
    MPI_Finalize();
    return 0;
}
