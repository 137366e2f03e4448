/* Constructs of OpenMP in archives of other tools: regions and records become the operations of the level openmp that
 * Hiera's own traces have. */
#pragma once

#include "calls.h"

/* What a region of OpenMP is among those that need more than a name. */
typedef enum {
    HIERA_OTF2_PLAIN,
    HIERA_OTF2_PARALLEL,
    HIERA_OTF2_PART,  /* an implicit task */
    HIERA_OTF2_ALONE, /* critical, ordered: also the wait before it */
    HIERA_OTF2_BLOCK  /* what one thread has alone in such a region */
} HieraOtf2Construct;

/* Return the operation of a region of OpenMP, to be freed with g_free; NULL: it is none.
 * @param construct  is set if it is one */
char *hiera_otf2_construct_name(const HieraOtf2Region *region, HieraOtf2Construct *construct);

/* Before an operation begins: end the wait before a block. Return TRUE if the region is that of an operation that was
 * begun by a record of its team: nothing is to begin, and its end is ignored, too. */
gboolean hiera_otf2_construct_enter(HieraOtf2Calls *calls, HieraOtf2Construct construct,
                                    const HieraOtf2Element *element);

/* An operation has begun: it may be a task whose number is known. @param index  of its element */
void hiera_otf2_construct_begun(HieraOtf2Calls *calls, guint32 index);

/* Add the callbacks for records of teams and tasks; their user data is a HieraOtf2Calls. */
void hiera_otf2_constructs_register(OTF2_EvtReaderCallbacks *callbacks);
