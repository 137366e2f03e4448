/* A plug-in: says which calls wait for longer than a limit, while the program runs, and how many there were.
 *
 *     cc -shared -fPIC -o libslow.so plugin.c
 *     HIERA_PLUGIN=$PWD/libslow.so SLOW_MS=5 hiera-run mpirun -n 4 ./app */
#include <hiera.h>

#include <stdio.h>
#include <stdlib.h>

static int n;

static void slow(const struct hiera_event *event, void *data)
{
    char call[64] = "?", path[256] = "";
    double rank = 0, duration = 0;
    (void)data;
    hiera_event_text(event, "call", call, sizeof call);
    hiera_event_text(event, "path", path, sizeof path);
    hiera_event_number(event, "rank", &rank);
    hiera_event_number(event, "duration", &duration);
    fprintf(stderr, "slow: rank %.0f: %s took %.1f ms (%s)\n", rank, call, duration / 1e6, path);
    __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED);
}

__attribute__((destructor)) static void tell(void)
{
    if (n > 0)
        fprintf(stderr, "slow: %d calls\n", n);
}

int hiera_plugin(int version)
{
    char probe[128];
    const char *limit = getenv("SLOW_MS");
    snprintf(probe, sizeof probe, "call::[end] /&duration > %dms/", limit ? atoi(limit) : 100);
    return version >= 1 && hiera_on(probe, slow, NULL) > 0;
}
