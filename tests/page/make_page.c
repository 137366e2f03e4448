/* Calls hiera_page_write for the tests: make_page STYLESHEET MAX_OPERATIONS OUTPUT TRACE…
 *
 * Exit status: 0 if the page is written, 1 if not; then a line on standard error says why. */
#include "transform/export/html_page.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "use: %s STYLESHEET MAX_OPERATIONS OUTPUT TRACE...\n", argv[0]);
        return 2;
    }
    g_autofree char *stylesheet = NULL;
    g_autoptr(GError) error = NULL;
    guint64 limit = g_ascii_strtoull(argv[2], NULL, 10);
    if (g_file_get_contents(argv[1], &stylesheet, NULL, &error) &&
        hiera_page_write((const char *const *)argv + 4, (gsize)argc - 4, stylesheet, limit, argv[3], &error))
        return EXIT_SUCCESS;
    fprintf(stderr, "%s\n", error->message);
    return EXIT_FAILURE;
}
