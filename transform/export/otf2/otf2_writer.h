/* An OTF2 archive that is being written: its strings, attributes and metrics, which are defined at their first use. */
#pragma once

#include "export/export_labels.h"
#include "hiera_measure.h"
#include "otf2_numbers.h"

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraSiteOrder order; /* call sites, sorted; the position of a site is the number of its region */
    OTF2_Archive *archive;
    OTF2_GlobalDefWriter *definitions; /* global definitions, in process 0; NULL in others */
    HieraOtf2Names names;
    guint64 chunk_bytes;                        /* size of a chunk of definitions */
    guint32 most_strings;                       /* greatest number of strings in a location's mapping table */
    guint32 n_strings, n_attributes, n_metrics; /* number of definitions written so far */
    OTF2_AttributeList *list;                   /* attributes that the next record gets */
    OTF2_RmaWinRef *windows; /* by index of a communicator: number of the window; OTF2_UNDEFINED_RMA_WIN: no window */
    OTF2_CommRef *comms;     /* by index of a communicator: its number in the archive */
    GPtrArray *sorted;       /* HieraCommunicator, sorted by id and ranks */
    guint32 n_comms;
    OTF2_GroupRef n_groups;
    GArray *teams, *threads; /* of OpenMP: the threads of each processor, and all of them; NULL: there are none */
    OTF2_ParameterRef note;  /* the parameter HIERA_OTF2_NOTE, for elements that are no operations */
} HieraOtf2Writer;

/* Return the location of a thread. @param thread  index of the thread in its rank; 0: the main thread */
OTF2_LocationRef hiera_otf2_location(guint32 rank, guint32 thread);

/* In process 0: return the archive number of a name (next: of a text); a new one is defined first. */
guint32 hiera_otf2_define(HieraOtf2Writer *writer, HieraOtf2Name *name);
OTF2_StringRef hiera_otf2_string(HieraOtf2Writer *writer, const char *text);

/* Return the number that a string has in the events of a location. */
OTF2_StringRef hiera_otf2_string_in(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, const char *text);
/* Add an attribute to the next record of a location; its name gets HIERA_OTF2_PREFIX. A text that is a number in its
 * usual form becomes a number. */
void hiera_otf2_add_text(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, const char *name, const char *text);
void hiera_otf2_add_number(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, const char *name, gint64 number);
