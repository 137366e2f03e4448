/* See options.h. Options are looked up in the table HIERA_RUN_OPTIONS. */
#include "options.h"

#include <stdio.h>
#include <string.h>

typedef struct Row {
    const char *name, *argument, *help;
} Row;

static const Row rows[] = {
#define X(field, name, argument, help) {name, argument, help},
    HIERA_RUN_OPTIONS(X)
#undef X
};

char *hiera_run_help(void)
{
    HieraWords lines = {0};
    hiera_words_add(&lines, "Usage: hiera-run [OPTION...] COMMAND [ARGUMENT...]\n\n"
                            "Run an MPI program and trace it. COMMAND runs the program without Hiera:\n\n"
                            "    hiera-run mpirun -n 4 ./app input.txt\n"
                            "    hiera-run --dir=traces srun -n 64 ./app\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        HieraWords help = {0};
        hiera_words_split(&help, rows[i].help, '\n');
        char *name = hiera_words_format("--%s%s%s", rows[i].name, rows[i].argument ? "=" : "",
                                        rows[i].argument ? rows[i].argument : "");
        for (size_t k = 0; k < help.n; k++)
            hiera_words_add(&lines,
                            hiera_words_format("  %-13s %s%s", k == 0 ? name : "", k == 0 ? "" : "  ", help.at[k]));
    }
    hiera_words_add(&lines, "\nThe exit status is the command's; 2: wrong use, or no libhiera for the program.\n");
    return hiera_words_join(&lines, '\n');
}

/* Return the index in the table of an option written as --NAME or --NAME=VALUE; -1: there is no such option. */
static int row_of(const char *word)
{
    size_t length = strcspn(word + 2, "=");
    if (strcmp(word, "-h") == 0)
        word = "--help", length = 4;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (hiera_words_begins(word, "--") && strlen(rows[i].name) == length &&
            strncmp(rows[i].name, word + 2, length) == 0)
            return (int)i;
    return -1;
}

HieraRunOptions hiera_run_options_read(char **words)
{
    HieraRunOptions options = {0};
    HieraWords *const fields[] = {
#define X(field, name, argument, help) &options.field,
        HIERA_RUN_OPTIONS(X)
#undef X
    };
    for (; *words && (*words)[0] == '-'; words++) {
        if (strcmp(*words, "--") == 0) {
            words++;
            break;
        }
        int row = row_of(*words);
        const char *value = strchr(*words, '=');
        if (row < 0 || (value && !rows[row].argument))
            hiera_run_fail("unknown option %s; see hiera-run --help", *words);
        if (rows[row].argument && !value && !words[1])
            hiera_run_fail("--%s needs its %s; see hiera-run --help", rows[row].name, rows[row].argument);
        if (rows[row].argument && fields[row]->n > 0 && fields[row] != &options.level)
            hiera_run_fail("--%s is given twice; give it once", rows[row].name);
        hiera_words_add(fields[row], !rows[row].argument ? rows[row].name : value ? value + 1 : *++words);
    }
    options.command = words;
    return options;
}
