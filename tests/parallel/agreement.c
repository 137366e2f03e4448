/* agreement RANK: processes of which one, or none, has an error. Process 0 prints what it knows then, and whether all
 * know of one. */
#include "hiera_trace.h"
#include "parallel/parallel.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    if (argc != 2)
        return EXIT_FAILURE;
    hiera_parallel_silence();
    if (!hiera_parallel_begin(&error))
        return EXIT_FAILURE;
    if (hiera_parallel_rank() == (guint)atoi(argv[1]))
        g_set_error(&error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_MEMORY, "error of process %s", argv[1]);
    gboolean good = hiera_parallel_agree_on_error(&error);
    const char *message = error ? error->message : "no error";
    gboolean strange = hiera_parallel_any(good != !error); /* a process whose result and error do not fit */
    printf("%s%s, %s\n", message, strange ? " (not everywhere)" : "", hiera_parallel_any(!good) ? "bad" : "good");
    fflush(stdout);
    return hiera_parallel_end(good ? EXIT_SUCCESS : EXIT_FAILURE);
}
