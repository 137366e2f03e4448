/* See left.h. One line for each folder of traces. */
#include "left.h"

#include "base/kept_files.h"
#include "words.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The job of a younger one may be just ending, by hand of its launcher. */
enum { YOUNG_S = 60 };

static HieraWords folders, useless;

static void visit(const HieraKeptFound *found, void *data)
{
    const char *next = data;
    if (found->lives || !found->is_here || time(NULL) - found->header->made_s < YOUNG_S)
        return;
    if (found->header->rank < 0 || !found->has_trace)
        hiera_words_add(&useless, hiera_words_format("%s", found->path));
    else if (strcmp(found->header->folder, next) != 0)
        hiera_words_add_once(&folders, hiera_words_format("%s", found->header->folder));
}

void hiera_left_say(const char *folder, void (*say)(const char *format, ...))
{
    char here[PATH_MAX];
    const char *next = realpath(folder, here) ? here : "";
    hiera_kept_files_walk(NULL, visit, (void *)next);
    for (size_t i = 0; i < folders.n; i++)
        say("ranks of an earlier job were killed; hiera-transform --recover %s completes their traces", folders.at[i]);
    for (size_t i = 0; i < useless.n; i++)
        unlink(useless.at[i]);
}
