/** A run that is read in parts, so that memory does not grow with it.
 *
 * A part ends, for every rank, where every message has been received, and only requests of sends are open. So partners
 * of operations are always in the same part. Regions that are open at the end of a part are in the next one, too, and
 * so are sends that are not complete: there they are calls to MPI_PROC_NULL that take no time. With the option
 * `together`, a part ends behind a blocking collective in which all ranks wait for each other, and no request is open;
 * so no rank begins a part before all others are at the end of the part before.
 *
 * Each file is read by its own thread, which waits at the end of the part. Not every run can be read in parts:
 * persistent requests, windows and files are used long after they are made, and operations of several threads have no
 * known order. This may be found out late. */
#ifndef HIERA_PARTS_H
#define HIERA_PARTS_H

#include "hiera_load.h"

/** A run that is being read, one part after another. */
typedef struct HieraParts HieraParts;

typedef struct {
    guint64 rows; /* approximate number of operations per part */
    guint keep;   /* HIERA_KEEP_…: optional columns of the traces */
    HieraProgress progress;
    gpointer progress_user;
    gboolean validate; /* whether the files are also checked against the DTD */
    gboolean together; /* whether each part ends behind a collective of all ranks */
} HieraPartsOptions;

/** Begin to read.
 *
 * @param paths     trace files
 * @param catalog   as of hiera_load
 * @param findings  likewise; not to be touched before all parts were read
 * @return the run, to be closed by hiera_parts_close; the parameters must outlive it */
HIERA_API HieraParts *hiera_parts_open(const GPtrArray *paths, const HieraPartsOptions *options, HieraCatalog *catalog,
                                       HieraFindings *findings);

/** Stop reading, and free everything but the parts that hiera_parts_next has returned. */
HIERA_API void hiera_parts_close(HieraParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraParts, hiera_parts_close)

/** Read the next part.
 *
 * @return the part, to be freed by hiera_trace_free; NULL behind the last one, or if the run cannot be read in parts */
HIERA_API HieraTrace *hiera_parts_next(HieraParts *parts);

/** Number of operations at the beginning of a rank's rows, in the last part read, that were in the part before, too:
 * sends that were not complete at its end, then operations that were open there, each one around the next one. */
HIERA_API guint32 hiera_parts_count_around(const HieraParts *parts, guint32 processor);

/** Report that the last part read cannot be used: hiera_parts_next then returns NULL. */
HIERA_API void hiera_parts_give_up(HieraParts *parts);

/** The processors of the whole run, as hiera_load returns them; NULL unless all parts were read. */
HIERA_API const GArray *hiera_parts_peek_processors(const HieraParts *parts);

#endif
