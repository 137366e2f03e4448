/* Numbers of what events name: strings, attributes, metrics. Those of a location follow the order in which its own
 * events name them, whatever stands in other locations, which another process may write; its file of definitions says
 * which of those of the archive they are. */
#ifndef HIERA_OTF2_NUMBERS_H
#define HIERA_OTF2_NUMBERS_H

#include <glib.h>
#include <otf2/otf2.h>

/* What a name is of. */
typedef enum {
    HIERA_OTF2_STRING, /* the string itself */
    HIERA_OTF2_TEXT,   /* an attribute that has texts, */
    HIERA_OTF2_NUMBER, /* and one that has numbers */
    HIERA_OTF2_METRIC, /* a counter */
    HIERA_OTF2_N_KINDS
} HieraOtf2Kind;

typedef struct HieraOtf2Numbers HieraOtf2Numbers;

/* A name, unique in its process. */
typedef struct {
    HieraOtf2Kind kind;
    guint32 number;               /* in the archive; OTF2_UNDEFINED_UINT32: none yet */
    guint32 place;                /* among those that this process tells */
    guint32 last_number;          /* in the location whose events have named it last */
    const HieraOtf2Numbers *last; /* of that location; NULL: none has */
    char text[];
} HieraOtf2Name;

/* All names of a process. */
typedef struct {
    GHashTable *of[HIERA_OTF2_N_KINDS]; /* text → HieraOtf2Name */
    GPtrArray *fresh;                   /* takes names that are new, in their order; NULL: they go nowhere */
} HieraOtf2Names;

void hiera_otf2_names_init(HieraOtf2Names *names);
void hiera_otf2_names_clear(HieraOtf2Names *names);
HieraOtf2Name *hiera_otf2_names_find(HieraOtf2Names *names, HieraOtf2Kind kind, const char *text);

/* Numbers of the archive that a processor has for itself: for strings that do not fit into the table of one of its
 * locations. */
typedef struct {
    guint32 first, most; /* the first one, and how many there are */
    GPtrArray *names;    /* HieraOtf2Name that have them, in their order */
} HieraOtf2Reserve;

/* Return those of a location; free them with hiera_otf2_numbers_free().
 *
 * @param most_strings  how many strings fit into a table
 * @param reserve       of its processor */
HieraOtf2Numbers *hiera_otf2_numbers_new(guint32 most_strings, HieraOtf2Reserve *reserve);
void hiera_otf2_numbers_free(HieraOtf2Numbers *numbers);
/* Return the number of a name in a location. */
guint32 hiera_otf2_number(HieraOtf2Numbers *numbers, HieraOtf2Name *name);
/* There are no more events of the location. */
void hiera_otf2_numbers_end(HieraOtf2Numbers *numbers);
/* Write which of the archive they are, when all of them have a number there. */
void hiera_otf2_numbers_write(const HieraOtf2Numbers *numbers, OTF2_DefWriter *definitions);

#endif
