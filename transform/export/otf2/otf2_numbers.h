/* Numbers of names in events: strings, attributes, metrics. In a location they follow the order of first use in its own
 * events, independently of other locations, which another process may write; its definition file maps
 * them to the numbers of the archive. */
#pragma once

#include <glib.h>
#include <otf2/otf2.h>

/* What a name is in OTF2. */
typedef enum {
    HIERA_OTF2_STRING,
    HIERA_OTF2_TEXT,   /* an attribute whose values are texts */
    HIERA_OTF2_NUMBER, /* an attribute whose values are numbers */
    HIERA_OTF2_METRIC, /* a metric: the name of a counter */
    HIERA_OTF2_N_KINDS
} HieraOtf2Kind;

typedef struct HieraOtf2Numbers HieraOtf2Numbers;

/* A text that records refer to by number. A process has each text once per kind. */
typedef struct {
    HieraOtf2Kind kind;
    guint32 number;               /* number of the name in the archive; OTF2_UNDEFINED_UINT32: none yet */
    guint32 place;                /* index of the name among those that its process has sent to process 0 */
    guint32 last_number;          /* number of the name in the location `last` */
    const HieraOtf2Numbers *last; /* location that used the name last; NULL: none yet */
    char text[];
} HieraOtf2Name;

/* All names of a process. */
typedef struct {
    GHashTable *of[HIERA_OTF2_N_KINDS]; /* by kind: text → HieraOtf2Name */
    GPtrArray *fresh;                   /* new names are appended to it; NULL: they are not collected */
} HieraOtf2Names;

void hiera_otf2_names_init(HieraOtf2Names *names);
void hiera_otf2_names_clear(HieraOtf2Names *names);
HieraOtf2Name *hiera_otf2_names_find(HieraOtf2Names *names, HieraOtf2Kind kind, const char *text);

/* Archive numbers reserved for a processor: for strings that do not fit into the table of one of its
 * locations. */
typedef struct {
    guint32 first, most; /* the first reserved number, and how many are reserved */
    GPtrArray *names;    /* HieraOtf2Name that have reserved numbers, by number from `first` */
} HieraOtf2Reserve;

/* Return the numbers of a location; free them with hiera_otf2_numbers_free().
 *
 * @param most_strings  number of strings that fit into a table
 * @param reserve       reserve of its processor */
HieraOtf2Numbers *hiera_otf2_numbers_new(guint32 most_strings, HieraOtf2Reserve *reserve);
void hiera_otf2_numbers_free(HieraOtf2Numbers *numbers);
/* Return the number that a name has in a location; a new name gets the next number. */
guint32 hiera_otf2_number(HieraOtf2Numbers *numbers, HieraOtf2Name *name);
/* Free what only new events of the location need; call it after the location's last event. */
void hiera_otf2_numbers_end(HieraOtf2Numbers *numbers);
/* Write, for a location, which archive number each number stands for. All names must have an archive number. */
void hiera_otf2_numbers_write(const HieraOtf2Numbers *numbers, OTF2_DefWriter *definitions);
