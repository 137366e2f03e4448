/* See recover.h. hiera-recover is looked for relative to this program first, then in the prefix of the installation. */
#include "recover.h"
#include "cli/options/report.h"
#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

/* Return the path of hiera-recover; the last place if it is in none of them. To be freed. */
static char *find_program(void)
{
    g_autofree char *own = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *here = own ? g_path_get_dirname(own) : g_strdup(".");
    char *places[] = {g_build_filename(here, "../../collector", "hiera-recover", NULL),
                      g_build_filename(here, HIERA_LIBEXECDIR_FROM_BINDIR, "hiera-recover", NULL),
                      g_build_filename(HIERA_LIBEXECDIR, "hiera-recover", NULL)};
    guint last = G_N_ELEMENTS(places) - 1, chosen = 0;
    while (chosen < last && !g_file_test(places[chosen], G_FILE_TEST_IS_EXECUTABLE))
        chosen++;
    char *found = g_strdup(places[chosen]);
    for (guint i = 0; i <= last; i++)
        g_free(places[i]);
    return found;
}

int recover_run(const char *folder)
{
    g_autofree char *program = find_program();
    execl(program, "hiera-recover", folder, (char *)NULL);
    g_autofree char *message =
        g_strdup_printf("--recover: hiera-recover: %s; it comes with the collector", g_strerror(errno));
    report_message(message);
    return EXIT_WRONG_USE;
}

gboolean recover_copies(const char *copies, const char *folder, char **lines, GError **error)
{
    g_autofree char *program = find_program();
    const char *words[] = {program, "--live", copies, folder, NULL};
    g_autoptr(GError) cause = NULL;
    int status;
    if (g_spawn_sync(NULL, (char **)(void *)words, NULL, G_SPAWN_DEFAULT, NULL, NULL, lines, NULL, &status, &cause) &&
        g_spawn_check_wait_status(status, &cause))
        return TRUE;
    g_set_error(error, cause->domain, cause->code, "--live: hiera-recover: %s; it comes with the collector",
                cause->message);
    return FALSE;
}
