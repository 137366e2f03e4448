/* The command line of hiera-image. */
#pragma once

#include <glib.h>

/* Exit statuses, as in hiera-transform. */
enum { EXIT_GOOD = 0, EXIT_WRONG_USE = 2, EXIT_UNREADABLE = 3 };

typedef enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON } Format;

typedef struct {
    char *path, *function, *output, *dot;
    char **paths; /* all files named; only --plan accepts several */
    char **plan;  /* names of functions for --plan */
    Format format;
    gboolean only_loops, certainty, version;
} ImageOptions;

/* Read the command line. @return  false with an error if it is wrong */
gboolean image_options_parse(ImageOptions *options, int argc, char **argv, GError **error);
void image_options_clear(ImageOptions *options);
