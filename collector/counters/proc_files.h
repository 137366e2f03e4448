/* The files of /proc whose numbers are counters. */
#pragma once

#include "proc_text.h"

typedef struct HieraProcFile {
    const char *name, *path; /* name in names of counters, such as "self/status"; path in /proc */
    HieraProcFormat format;
    bool is_level;      /* numbers without a column go up and down, so values matter, not growth; exceptions: `grows` */
    const char *grows;  /* with is_level: numbers whose names begin with one of these words only grow; NULL: none */
    const char *listed; /* a list of counters shows only numbers that begin with one of these words; NULL: all */
    const char *help;
} HieraProcFile;

/* Whether the text begins with a word of a comma-separated list such as "pg,ps". */
bool hiera_proc_begins(const char *text, size_t length, const char *list);

extern const HieraProcFile hiera_proc_files[];
extern const unsigned hiera_proc_n_files;

/* A short name of a counter, such as "rss" for the key "resident" of the file "self/statm". */
typedef struct HieraProcAlias {
    const char *name, *file, *key, *help;
} HieraProcAlias;

extern const HieraProcAlias hiera_proc_aliases[];
extern const unsigned hiera_proc_n_aliases;

/* Index in hiera_proc_files of the NAME in "NAME/KEY", and *key set to KEY; -1: no such file. */
int hiera_proc_file_of(const char *text, const char **key);

/* Visit each number of the file. Allocates nothing and takes no lock; its system calls are no cancellation points.
 *
 * @return  0 or the errno */
int hiera_proc_read_file(const HieraProcFile *file, HieraProcVisit *visit, void *data);
