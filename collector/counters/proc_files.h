/* Files of /proc that provide counters. */
#pragma once

#include "proc_text.h"

typedef struct HieraProcFile {
    const char *name, *path; /* `name` is the one in names of counters: "self/status" */
    HieraProcFormat format;
    bool is_level;      /* its numbers are levels, unless a column says otherwise */
    const char *grows;  /* … except numbers whose names begin with one of these words; NULL: none */
    const char *listed; /* lists show only numbers whose names begin with one of these words; NULL: all */
    const char *help;
} HieraProcFile;

/* Whether the text begins with a word of a list such as "pg,ps". */
bool hiera_proc_begins(const char *text, size_t length, const char *list);

extern const HieraProcFile hiera_proc_files[];
extern const unsigned hiera_proc_n_files;

/* Short names of some counters. */
typedef struct HieraProcAlias {
    const char *name, *file, *key, *help;
} HieraProcAlias;

extern const HieraProcAlias hiera_proc_aliases[];
extern const unsigned hiera_proc_n_aliases;

/* Index of the file whose name the text begins with, before a slash; -1: none. *key: the part behind the slash. */
int hiera_proc_file_of(const char *text, const char **key);

/* Visit each number of the file. Allocates nothing and takes no lock; its system calls are no cancellation points.
 *
 * @return  0 or the errno */
int hiera_proc_read_file(const HieraProcFile *file, HieraProcVisit *visit, void *data);
