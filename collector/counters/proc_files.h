/* Files of /proc that have counters. */
#ifndef HIERA_PROC_FILES_H
#define HIERA_PROC_FILES_H

#include "proc_text.h"

typedef struct HieraProcFile {
    const char *name, *path; /* the name is that in counters: "self/status" */
    HieraProcFormat format;
    bool is_level;      /* its numbers, where no column says so */
    const char *grows;  /* … but those whose names begin so; NULL: none */
    const char *listed; /* only these are in lists, by the begins of their names; NULL: all */
    const char *help;
} HieraProcFile;

/* Does the text begin with a word of a list such as "pg,ps"? */
bool hiera_proc_begins(const char *text, size_t length, const char *list);

extern const HieraProcFile hiera_proc_files[];
extern const unsigned hiera_proc_n_files;

/* Short names for some. */
typedef struct HieraProcAlias {
    const char *name, *file, *key, *help;
} HieraProcAlias;

extern const HieraProcAlias hiera_proc_aliases[];
extern const unsigned hiera_proc_n_aliases;

/* The file whose name the text begins with, before a slash; -1: none. *key: what is behind the slash. */
int hiera_proc_file_of(const char *text, const char **key);

/* Tell each number of the file. Allocates nothing, takes no lock; system calls are no points of cancellation.
 *
 * @return  0 or the errno */
int hiera_proc_read_file(const HieraProcFile *file, HieraProcVisit *visit, void *data);

#endif
