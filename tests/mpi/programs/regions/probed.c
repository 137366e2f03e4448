/* Probes of the program, sections and events that come by themselves, with known answers. The word says what the program does. */
#include "expect.h"

#include <hiera.h>
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
    for (int n = 0; n < STEPS; n++) {
        HIERA_PROBE("bare");
        HIERA_PROBE("heat", n, 2 * x, "a, (text", who, n > 2, (unsigned char)n, rank);
        HIERA_PROBE("unasked", count_it());
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

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "probes") == 0)
        probes();
    else if (strcmp(word, "sections") == 0)
        sections();
    else
        samples();
    MPI_Finalize();
    return 0;
}
