#include "executable_options.h"
#include <string.h>

guint executable_options_set(ExecutableWords *words, GOptionEntry entries[EXECUTABLE_OPTIONS_MOST])
{
    const GOptionEntry all[] = {
        {"executable", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &words->path, NULL, "PROGRAM"},
        {"libraries", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &words->libraries,
         "that are followed: own (default), none, …", "NAMES"},
        {"arguments", 0, 0, G_OPTION_ARG_STRING, &words->arguments, "of the program", "WORDS"},
        {"processes", 0, 0, G_OPTION_ARG_STRING, &words->processes, "how many (default: 4)", "N,N…"},
        {"clock", 0, 0, G_OPTION_ARG_STRING, &words->clock, "of the processors (default: 2GHz)", "FREQUENCY"},
        {"machine", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &words->machine,
         "load=, hits=, miss=, link-load=, access=", "WORDS"},
        {"message", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &words->message,
         "where it is not known (default: 1kB)", "BYTES"},
        {"files", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &words->files,
         "how long MPI-IO takes: latency=, bandwidth=", "WORDS"},
        {"loops", 0, 0, G_OPTION_ARG_STRING, &words->loops, "repetitions that are not known", "mean=,max=,…"},
        {"branches", 0, 0, G_OPTION_ARG_STRING, &words->branches, "decisions that are not known", "taken=,…"},
        {"draw", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &words->draw, "what is not known: all alike (default)",
         "alike|apart"},
        {"decide", 0, 0, G_OPTION_ARG_STRING_ARRAY, &words->decisions, "a branch: FILE:LINE=yes|no[:RANKS]", "RULE"},
        {"role", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING_ARRAY, &words->decisions, "the same as --decide", "RULE"},
        {"cycles", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING_ARRAY, &words->cycles, "of a library's function",
         "FUNCTION=N"},
        {"cost", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &words->cost, "of instructions (default: table)",
         "table|llvm-mca"},
        {"reduce", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &words->reduce, "merge vertices of graphs", "all|…"},
        {"calibrate-by", 0, 0, G_OPTION_ARG_FILENAME, &words->calibrate_by, "scale to a run: a trace or seconds",
         "RUN"},
        {"profile", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &words->profile,
         "loops are repeated as in this run", "TRACE"},
        {"simulations", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &words->simulations,
         "of which means are taken (default: 5)", "N"},
        {"seed", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &words->seed, "of the random numbers (default: 1)", "N"},
        {"explain", 0, 0, G_OPTION_ARG_NONE, &words->explain, "all places that the answer depends on", NULL},
        {"per-process", 0, 0, G_OPTION_ARG_NONE, &words->per_process, "functions and loops of each process", NULL},
        {"graph", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &words->graph, "vertices of a function instead",
         "FUNCTION"},
        {"dot", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &words->dot, "flow chart of --graph for Graphviz",
         "FILE"},
    };
    G_STATIC_ASSERT(G_N_ELEMENTS(all) <= EXECUTABLE_OPTIONS_MOST);
    memcpy(entries, all, sizeof all);
    return G_N_ELEMENTS(all);
}

void executable_words_clear(ExecutableWords *words)
{
    char *texts[] = {words->path,         words->arguments, words->processes, words->clock,  words->message,
                     words->draw,         words->loops,     words->branches,  words->reduce, words->cost,
                     words->calibrate_by, words->profile,   words->graph,     words->dot,    words->files,
                     words->libraries,    words->machine};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_strfreev(words->decisions);
    g_strfreev(words->cycles);
    *words = (ExecutableWords){0};
}
