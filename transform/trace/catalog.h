/* The catalog: strings, call sites and communicators, which many operations share. Each is kept once for all
 * processors.
 *
 * Safe to use from several threads, with one lock. Readers take the lock rarely, because each has a cache of its own
 * (reading/context/cache.h). Results belong to the catalog and never move. */
#pragma once

#include "base/ranks.h"
#include "hiera_trace.h"

/* A communicator, window or file, as its members declare it. Members are world ranks, in the order of its own ranks. */
typedef struct {
    guint32 index;
    const char *id;
    const char *name;                     /* name that the program gave; of a file its path; "": none */
    gboolean declared;                    /* whether the members are known; FALSE: `ranks` is empty */
    HieraRanks *ranks;                    /* members; of an intercommunicator those of the local group */
    HieraRanks *remote;                   /* members of an intercommunicator's remote group; else NULL */
    const char *ranks_text, *remote_text; /* texts of `ranks` and `remote` as in the declaration */
    HieraRanks *dims;                     /* number of ranks along each dimension of a Cartesian topology; NULL: none */
    const char *dims_text;                /* text of `dims`, from the call that made the Cartesian topology */
    guint32 context; /* context number: the same for both sides of an intercommunicator, else unique */
    gboolean object; /* whether the entry is a window or a file, made from a communicator */
    gboolean open;   /* the id differs from rank to rank: a window, a file, a communicator with processes of another
                      * job. The context is known when the collective call that made it has been matched */
} HieraCommunicator;

/* Neighbours of a rank in a communicator with a topology, as ranks in that communicator. */
typedef struct {
    guint32 communicator, rank; /* index of the communicator; world rank of the process */
    HieraRanks *in, *out;       /* ranks from which messages come; ranks to which they go */
} HieraNeighbors;

/* Return the interned string with these bytes. `text` need not be terminated; the returned string is. */
const char *hiera_catalog_intern(HieraCatalog *catalog, const char *text, gsize length);

/* Return the site with the level, operation, class, file and line of `site`, whose strings must be interned. It is
 * added if it is new. */
const HieraSite *hiera_catalog_site(HieraCatalog *catalog, const HieraSite *site);

/* Return the counter with this name, which is interned. It is added if it is new. Where declarations differ, the
 * result does not depend on their order. */
const HieraTraceCounter *hiera_catalog_counter(HieraCatalog *catalog, const char *name, const char *unit,
                                               gboolean level);

/* Return all counters (HieraTraceCounter), and all neighbours (HieraNeighbors); to be freed with g_ptr_array_unref. */
GPtrArray *hiera_catalog_list_counters(const HieraCatalog *catalog);
GPtrArray *hiera_catalog_list_neighbors(const HieraCatalog *catalog);

/* Return an empty HieraBefore for one more trace; owned by the catalog. */
HieraBefore *hiera_catalog_before(HieraCatalog *catalog);

/* Set HieraSite.short_file of all call sites. To be called after all traces are read. */
void hiera_catalog_shorten_files(HieraCatalog *catalog);

/* Hash and equality of call sites by content, for GHashTable. */
guint hiera_site_hash(gconstpointer site);
gboolean hiera_site_equal(gconstpointer a, gconstpointer b);

/* Return the communicator with this id and these lists of ranks. It is added if it is new.
 *
 * @param id      interned
 * @param ranks   list of ranks, interned; "" if the members are unknown
 * @param remote  list of ranks of the remote group, interned; "" if it is not an intercommunicator
 * @param name    replaces an earlier name; NULL keeps it
 * @return  NULL if a list is not a list of ranks */
const HieraCommunicator *hiera_catalog_communicator(HieraCatalog *catalog, const char *id, const char *ranks,
                                                    const char *remote, const char *name);
/* Return the window or file with this id that was made from the communicator `of`: it has the same members and a
 * context of its own. @param name  interned; NULL: none */
const HieraCommunicator *hiera_catalog_object(HieraCatalog *catalog, const char *id, const HieraCommunicator *of,
                                              const char *name);
/* Set the Cartesian topology of a communicator: ranks along each dimension, interned. Where calls differ, one text
 * is chosen independently of their order. Return FALSE if the text is no list of numbers. */
gboolean hiera_catalog_set_dims(HieraCatalog *catalog, guint32 communicator, const char *dims);
/* Set the neighbours of a rank from two lists of ranks. Return FALSE if `in` or `out` is no list of ranks. */
gboolean hiera_catalog_set_neighbors(HieraCatalog *catalog, guint32 communicator, guint32 rank, const char *in,
                                     const char *out);
/* Return the neighbours of a rank in a communicator; NULL: none were declared. */
const HieraNeighbors *hiera_catalog_peek_neighbors(const HieraCatalog *catalog, guint32 communicator, guint32 rank);
/* Return the communicator with an index, 0 … count - 1, in the order in which they were first declared. */
const HieraCommunicator *hiera_catalog_peek_communicator(const HieraCatalog *catalog, guint32 index);
/* Return the world rank of a member, on an intercommunicator of the remote group; less than 0 if it is not known. May
 * be called while traces are read. */
gint32 hiera_catalog_find_member(HieraCatalog *catalog, guint32 index, gint32 rank);
/* Whether every site's short_file is what hiera_file_alone() returns: no two files share their last name. */
gboolean hiera_catalog_has_plain_files(const HieraCatalog *catalog);
guint32 hiera_catalog_count_communicators(const HieraCatalog *catalog);
