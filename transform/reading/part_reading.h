/* Reads one rank of a run in parts (hiera_parts.h): up to a place where, as far as one rank can tell, everything it
 * began is done. There only requests of sends are open, and its counts can be compared with those of other ranks. */
#pragma once

#include "hiera_load.h"
#include "part_counts.h"

typedef struct PartReading PartReading;

/* State shared by the readings of all ranks. The functions are called by the thread that reads. */
typedef struct {
    HieraCatalog *catalog;
    HieraSink to;      /* takes the operations of a part: its `begin`, `operation`, `filtered`, and `end` */
    gboolean together; /* parts end behind collectives in which all ranks wait: */
    guint64 stop;      /* then a rank waits after this number of them; */
    guint64 goal;      /* else a rank waits after this number of operations, where only requests of sends are open */
    gint given_up;     /* atomic: no more operations are taken */
    void (*wait)(gpointer user);    /* returns when the rank may continue */
    void (*give_up)(gpointer user); /* called if the run cannot be read in parts; sets `given_up` */
    gpointer user;
} PartReaders;

/* @param readers    must outlive the reading
 * @param processor  valid until the rank has been read */
PartReading *part_reading_new(const PartReaders *readers, const HieraProcessor *processor);
/* Free a reading, and the unfinished part. */
void part_reading_free(PartReading *reading);
void part_reading_give_up(const PartReading *reading);
void part_reading_add(PartReading *reading, const HieraOperation *operation);
void part_reading_add_filtered(PartReading *reading, const HieraFiltered *filtered);

/* The following functions may be called while the rank waits, or has been read. */

guint32 part_reading_rank(const PartReading *reading);
/* Whether the rank waits, and has not been read to its end; with `together`, behind the collective `stop`. */
gboolean part_reading_is_at_stop(const PartReading *reading);
/* Whether no request is open. @param sent  takes, by communicator, messages sent minus messages received:
 * GHashTable */
gboolean part_reading_is_done(const PartReading *reading, GHashTable *sent);
/* Number of rows that are in this part for the first time. */
guint32 part_reading_count(const PartReading *reading);
/* The rank's counts since its begin; and the counts that it must reach before it may wait again. */
const PartCounts *part_reading_peek_counts(const PartReading *reading);
PartCounts *part_reading_needs(PartReading *reading);
/* Number of rows of the part that ended last which were also in the part before. */
guint32 part_reading_count_around(const PartReading *reading);
/* End the part. @param last  the processor, if this is the rank's last part; NULL: more parts follow
 * @return the processor as the part has it */
HieraProcessor part_reading_end(PartReading *reading, const HieraProcessor *last);
/* Begin another part. It contains sends that are not complete, and the operations that are open at this place,
 * too. */
void part_reading_begin(PartReading *reading);
