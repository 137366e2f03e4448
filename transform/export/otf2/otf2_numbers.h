/* Numbers of names in events: strings, attributes, metrics. In a location they follow the order of first use in its own
 * events, independently of other locations, which another process may write; its definition file maps
 * them to the numbers of the archive. */
#pragma once

#include <glib.h>
#include <otf2/otf2.h>

/* Kind of a name. */
typedef enum {
    HIERA_OTF2_STRING, /* a string itself */
    HIERA_OTF2_TEXT,   /* an attribute with texts */
    HIERA_OTF2_NUMBER, /* an attribute with numbers */
    HIERA_OTF2_METRIC, /* a counter */
    HIERA_OTF2_N_KINDS
} HieraOtf2Kind;

typedef struct HieraOtf2Numbers HieraOtf2Numbers;

/* A name, unique in its process. */
typedef struct {
    HieraOtf2Kind kind;
    guint32 number;               /* number in the archive; OTF2_UNDEFINED_UINT32: none yet */
    guint32 place;                /* index among the names that this process has sent */
    guint32 last_number;          /* number in the location that used the name last */
    const HieraOtf2Numbers *last; /* the location that used the name last; NULL: none yet */
    char text[];
} HieraOtf2Name;

/* All names of a process. */
typedef struct {
    GHashTable *of[HIERA_OTF2_N_KINDS]; /* text → HieraOtf2Name */
    GPtrArray *fresh;                   /* receives new names, in their order; NULL: they are not collected */
} HieraOtf2Names;

void hiera_otf2_names_init(HieraOtf2Names *names);
void hiera_otf2_names_clear(HieraOtf2Names *names);
HieraOtf2Name *hiera_otf2_names_find(HieraOtf2Names *names, HieraOtf2Kind kind, const char *text);

/* Archive numbers reserved for a processor: for strings that do not fit into the table of one of its
 * locations. */
typedef struct {
    guint32 first, most; /* the first number, and how many there are */
    GPtrArray *names;    /* HieraOtf2Name with these numbers, in their order */
} HieraOtf2Reserve;

/* Return the numbers of a location; free them with hiera_otf2_numbers_free().
 *
 * @param most_strings  number of strings that fit into a table
 * @param reserve       reserve of its processor */
HieraOtf2Numbers *hiera_otf2_numbers_new(guint32 most_strings, HieraOtf2Reserve *reserve);
void hiera_otf2_numbers_free(HieraOtf2Numbers *numbers);
/* Return the number of a name in a location. */
guint32 hiera_otf2_number(HieraOtf2Numbers *numbers, HieraOtf2Name *name);
/* Call it after the last event of the location. */
void hiera_otf2_numbers_end(HieraOtf2Numbers *numbers);
/* Write the mapping to archive numbers, when all names have one. */
void hiera_otf2_numbers_write(const HieraOtf2Numbers *numbers, OTF2_DefWriter *definitions);
