/* An OTF2 archive that is written: its strings and attributes, which are defined when they are first used. */
#ifndef HIERA_OTF2_WRITER_H
#define HIERA_OTF2_WRITER_H

#include "export_labels.h"
#include <otf2/otf2.h>

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    HieraSiteOrder order; /* the position of a site is its region */
    OTF2_Archive *archive;
    OTF2_GlobalDefWriter *definitions;
    GHashTable *strings;         /* text → OTF2_StringRef */
    GHashTable *texts, *numbers; /* names of attributes that have texts, that have numbers → OTF2_AttributeRef */
    GHashTable *metrics;         /* names of counters → OTF2_MetricRef */
    OTF2_AttributeList *list;    /* of the next record */
    OTF2_RmaWinRef *windows;     /* by communicator: its window; OTF2_UNDEFINED_RMA_WIN */
    OTF2_CommRef *comms;         /* by communicator */
    GPtrArray *sorted;           /* HieraCommunicator */
    guint32 n_comms;
    OTF2_GroupRef n_groups;
    OTF2_ParameterRef note; /* HIERA_OTF2_NOTE */
} HieraOtf2Writer;

/* Return the number of a string. */
OTF2_StringRef hiera_otf2_string(HieraOtf2Writer *writer, const char *text);
/* Add an attribute to the next record; its name gets HIERA_OTF2_PREFIX. A text that is a number, as a program writes
 * it, becomes one. */
void hiera_otf2_add_text(HieraOtf2Writer *writer, const char *name, const char *text);
void hiera_otf2_add_number(HieraOtf2Writer *writer, const char *name, gint64 number);

#endif
