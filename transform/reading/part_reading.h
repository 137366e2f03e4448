/* Reads one rank of a run in parts (hiera_parts.h): up to a place where, as far as one rank can tell, everything it
 * began is done. There only requests of sends are open, and its counts can be compared with those of other ranks. */
#pragma once

#include "hiera_load.h"
#include "part_counts.h"

typedef struct PartReading PartReading;

/* State that the readings of all ranks share. The callbacks are called by the thread that reads the rank. */
typedef struct {
    HieraCatalog *catalog;
    HieraSink to; /* sink for a part; only `begin`, `operation`, `attribute`, `filtered`, `timed` and `end` are used */
    gboolean together; /* whether each part ends behind a collective in which all ranks wait for each other */
    guint64 stop;      /* if `together`: a rank waits after this number of collectives of all ranks */
    guint64 goal;      /* if not `together`: a rank waits after this number of operations, at a suitable place */
    gint given_up;     /* atomic: whether the run cannot be read in parts, so that no more operations are taken */
    void (*wait)(gpointer user);    /* called by a rank that waits; returns when the rank may continue */
    void (*give_up)(gpointer user); /* called if the run cannot be read in parts; sets `given_up` */
    gpointer user;
} PartReaders;

/* @param readers    must outlive the reading
 * @param processor  valid until the rank has been read */
PartReading *part_reading_new(const PartReaders *readers, const HieraProcessor *processor);
/* Free a reading, and the current part if it has not ended. */
void part_reading_free(PartReading *reading);
void part_reading_give_up(const PartReading *reading);
/* Add a value of an attribute of the operation that is added next. */
void part_reading_add_attribute(PartReading *reading, const HieraAttributeValue *value);
void part_reading_add(PartReading *reading, const HieraOperation *operation);
void part_reading_add_filtered(PartReading *reading, const HieraFiltered *filtered);
/* Add the times of a function or loop, which stand behind all operations: they belong to the last part. */
void part_reading_add_timed(PartReading *reading, const HieraTimed *timed);

/* The following functions may be called while the rank's thread waits, or when the rank has been read. */

guint32 part_reading_rank(const PartReading *reading);
/* Whether the rank waits and has more operations; with `together`, whether it waits behind collective number `stop`. */
gboolean part_reading_is_at_stop(const PartReading *reading);
/* Whether no request is open. @param sent  takes, by communicator, messages sent minus messages received:
 * GHashTable */
gboolean part_reading_is_done(const PartReading *reading, GHashTable *sent);
/* Return the number of rows of the current part that were not in an earlier part. */
guint32 part_reading_count(const PartReading *reading);
/* Return the rank's counts since the begin of the run; return the counts that it must reach before it waits again. */
const PartCounts *part_reading_peek_counts(const PartReading *reading);
PartCounts *part_reading_needs(PartReading *reading);
/* Return the number of rows of the part that ended last that were also in the part before that one. */
guint32 part_reading_count_around(const PartReading *reading);
/* End the part. @param last  the processor, if this is the rank's last part; NULL: more parts follow
 * @return the processor as the part has it */
HieraProcessor part_reading_end(PartReading *reading, const HieraProcessor *last);
/* Begin another part. It contains sends that are not complete, and the operations that are open at this place,
 * too. */
void part_reading_begin(PartReading *reading);
