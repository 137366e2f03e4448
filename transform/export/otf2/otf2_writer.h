/* An OTF2 archive that is being written: its strings, attributes and metrics, which are defined at their first use.
 *  */
#pragma once

#include "export/export_labels.h"
#include "hiera_measure.h"
#include "otf2_numbers.h"

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraSiteOrder order; /* the position of a site is its region */
    OTF2_Archive *archive;
    OTF2_GlobalDefWriter *definitions; /* only in process 0; else NULL */
    HieraOtf2Names names;
    guint32 most_strings;                       /* most strings in the table of a location */
    guint32 n_strings, n_attributes, n_metrics; /* number of definitions in the archive */
    OTF2_AttributeList *list;                   /* attributes of the next record */
    OTF2_RmaWinRef *windows;                    /* by communicator: number of its window; OTF2_UNDEFINED_RMA_WIN */
    OTF2_CommRef *comms;                        /* by communicator: its number */
    GPtrArray *sorted;                          /* HieraCommunicator */
    guint32 n_comms;
    OTF2_GroupRef n_groups;
    OTF2_ParameterRef note; /* parameter HIERA_OTF2_NOTE */
} HieraOtf2Writer;

/* Return the location of a thread of a rank. */
OTF2_LocationRef hiera_otf2_location(guint32 rank, guint32 thread);

/* In process 0: return the archive number of a name or string; define it first, if it has none. */
guint32 hiera_otf2_define(HieraOtf2Writer *writer, HieraOtf2Name *name);
OTF2_StringRef hiera_otf2_string(HieraOtf2Writer *writer, const char *text);

/* Return the number of a string in a location. */
OTF2_StringRef hiera_otf2_string_in(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, const char *text);
/* Add an attribute to the next record of a location; its name gets HIERA_OTF2_PREFIX. A text that is a number in its
 * usual form becomes a number. */
void hiera_otf2_add_text(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, const char *name, const char *text);
void hiera_otf2_add_number(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, const char *name, gint64 number);
