/* See recover.h. hiera-recover is looked for relative to this program first, then in the prefix of the installation. */
#include "recover.h"
#include "cli/options/report.h"
#include "run.h"
#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

static void run_there(const char *here, const char *folder_of_program, const char *folder)
{
    g_autofree char *program = g_build_filename(here, folder_of_program, "hiera-recover", NULL);
    execl(program, "hiera-recover", folder, (char *)NULL);
}

int recover_run(const char *folder)
{
    g_autofree char *own = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *here = own ? g_path_get_dirname(own) : g_strdup(".");
    run_there(here, "../../collector", folder);
    run_there(here, HIERA_LIBEXECDIR_FROM_BINDIR, folder);
    run_there("/", HIERA_LIBEXECDIR, folder);
    g_autofree char *message =
        g_strdup_printf("--recover: hiera-recover: %s; it comes with the collector", g_strerror(errno));
    report_message(message);
    return EXIT_WRONG_USE;
}
