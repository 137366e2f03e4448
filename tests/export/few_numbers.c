/* few-numbers TRACES FOLDER: the archive that hiera-transform writes of TRACES if only two strings of a thread had
 * numbers of its own. */
#include "export/otf2/otf2.h"
#include "hiera_graph.h"

enum { FEW = 2 };

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    if (argc != 3)
        return 2;
    const char *const paths[] = {argv[1], NULL};
    g_autoptr(HieraGraph) graph = hiera_graph_load(paths, NULL, &error);
    const HieraScope all = HIERA_SCOPE_ALL;
    const HieraExportInput input = {graph ? hiera_graph_peek_match(graph) : NULL, &all, NULL};
    if (graph && hiera_otf2_write(&input, argv[2], FEW, &error))
        return 0;
    g_printerr("%s\n", error->message);
    return 1;
}
