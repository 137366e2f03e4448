/* How one rank of a run is read in parts (hiera_parts.h). Up to where all that it began is done, as far as one rank can
 * tell: no request is open but of sends, and there are numbers to compare with those of others. */
#ifndef HIERA_PART_READING_H
#define HIERA_PART_READING_H

#include "hiera_load.h"
#include "part_counts.h"

typedef struct PartReading PartReading;

/* What the readings of all ranks have in common. The functions are called by the thread that reads. */
typedef struct {
    HieraCatalog *catalog;
    HieraSink to;                /* takes the operations of a part: its `begin`, `operation`, `filtered`, and `end` */
    gboolean together;           /* parts end behind collectives that all ranks wait in: */
    guint64 stop;                /* after so many of these a rank waits for the next part; */
    guint64 goal;                /* else after so many operations, where no request is open but of sends */
    gint given_up;               /* atomic: nothing more is taken */
    void (*wait)(gpointer user); /* returns when the rank is to go on */
    void (*give_up)(gpointer user); /* the run cannot be read in parts; sets `given_up` */
    gpointer user;
} PartReaders;

/* @param readers    must outlive the reading
 * @param processor  valid until the rank has been read */
PartReading *part_reading_new(const PartReaders *readers, const HieraProcessor *processor);
/* What was read of a part and not ended is freed. */
void part_reading_free(PartReading *reading);
void part_reading_give_up(const PartReading *reading);
void part_reading_add(PartReading *reading, const HieraOperation *operation);
void part_reading_add_filtered(PartReading *reading, const HieraFiltered *filtered);

/* While the rank waits, or has been read: */

guint32 part_reading_rank(const PartReading *reading);
/* Whether it waits, and has not been read: of parts that end together, behind the collective after which it was to. */
gboolean part_reading_is_at_stop(const PartReading *reading);
/* Whether no request is open. @param sent  takes, by communicator, how many messages were sent less those received:
 * GHashTable */
gboolean part_reading_is_done(const PartReading *reading, GHashTable *sent);
/* How many of its rows are in this part for the first time. */
guint32 part_reading_count(const PartReading *reading);
/* What it has done with others, from its begin on; and how far it has to come before it may wait again. */
const PartCounts *part_reading_peek_counts(const PartReading *reading);
PartCounts *part_reading_needs(PartReading *reading);
/* Of the part that ended last: how many of its rows were in the one before, too. */
guint32 part_reading_count_around(const PartReading *reading);
/* End the part. @param last  the processor of a rank whose last part it is; NULL: there are others
 * @return the processor as the part has it */
HieraProcessor part_reading_end(PartReading *reading, const HieraProcessor *last);
/* Begin to fill another part. Sends that are not complete, and what is around the place where it stands, are in that,
 * too. */
void part_reading_begin(PartReading *reading);

#endif
