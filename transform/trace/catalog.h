/* The catalog: what many operations share (strings, call sites, communicators), each kept once for all processors.
 *
 * Safe to use from several threads: one lock, taken only when a reader meets something for the first time, because
 * every reader remembers what it has met. What is returned never moves. */
#ifndef HIERA_CATALOG_H
#define HIERA_CATALOG_H

#include "base/ranks.h"
#include "hiera_trace.h"

/* A communicator as its members declare it. Ranks are world ranks, in the order of the ranks in the communicator. */
typedef struct {
    guint32 index;
    const char *id;
    const char *name;                     /* "" if the program gave none */
    gboolean declared;                    /* false: `ranks` is not known */
    HieraRanks *ranks;                    /* of an intercommunicator the local group; NULL where not declared */
    HieraRanks *remote;                   /* of an intercommunicator the other group, else NULL */
    const char *ranks_text, *remote_text; /* as declared */
    guint32 context; /* equal for both sides of an intercommunicator, else different for each communicator */
    gboolean object; /* a window or a file, made of a communicator */
    gboolean open;   /* its id is this rank's own: a window, a file, a communicator with processes of another job. Its
                        context is known once the collective call is matched that made it */
} HieraCommunicator;

/* The neighbours of a rank in a communicator with a topology; ranks in that communicator. */
typedef struct {
    guint32 communicator, rank; /* of the processor */
    HieraRanks *in, *out;
} HieraNeighbors;

/* The one string with these bytes. */
const char *hiera_catalog_intern(HieraCatalog *catalog, const char *text, gsize length);

/* The one site with these (interned) strings. Level, operation, class, file and line are taken from `site`. */
const HieraSite *hiera_catalog_site(HieraCatalog *catalog, const HieraSite *site);

/* Shorten the files of all sites (`short_file`); once all traces are read. */
void hiera_catalog_shorten_files(HieraCatalog *catalog);

/* Sites by content. */
guint hiera_site_hash(gconstpointer site);
gboolean hiera_site_equal(gconstpointer a, gconstpointer b);

/* The one communicator with these id and lists of ranks (interned; "" where there is none). A name replaces an earlier
 * one; NULL leaves it. NULL is returned if a list is no list of ranks. */
const HieraCommunicator *hiera_catalog_communicator(HieraCatalog *catalog, const char *id, const char *ranks,
                                                    const char *remote, const char *name);
/* A window or a file that was made of a communicator: the same members, a context of its own. */
const HieraCommunicator *hiera_catalog_object(HieraCatalog *catalog, const char *id, const HieraCommunicator *of);
/* Neighbours as declared; false if a list is no list of ranks. NULL is peeked where none were declared. */
gboolean hiera_catalog_set_neighbors(HieraCatalog *catalog, guint32 communicator, guint32 rank, const char *in,
                                     const char *out);
const HieraNeighbors *hiera_catalog_peek_neighbors(const HieraCatalog *catalog, guint32 communicator, guint32 rank);
const HieraCommunicator *hiera_catalog_peek_communicator(const HieraCatalog *catalog, guint32 index);
guint32 hiera_catalog_count_communicators(const HieraCatalog *catalog);

#endif
