/** The page of --html: one self-contained HTML file that shows a whole run. */
#pragma once

#include "hiera_match.h"
#include "hiera_measure.h"

/** What is on the page. */
typedef struct {
    const HieraMatch *match;   /* operations of the whole run, with their partners */
    const HieraScope *scope;   /* ranks and times that limit what the page shows */
    const char *part;          /* the part of the run that the page shows, in the user's words; "": the whole run */
    HieraTable *const *tables; /* `n_tables` results of measures, complete */
    const char *const *help;   /* by table: help text of the measure */
    guint n_tables;
    const HieraFindings *findings; /* problems found in the traces */
    const char *command;           /* the traces as the user named them, for command lines that the page shows */
    guint renew_s;   /* if served while the job runs: after how many seconds the page asks for a new one; 0: never */
    gboolean served; /* whether a server delivers the levels of detail on request; else they are in the file */
} HieraPage;

/** Write the page. Errors of the stream are not reported: check ferror. If several processes share the operations
 * (`own` of the scope), all must call it: each makes the data of its ranks, and process 0 writes.
 *
 * @param stream  NULL in the other processes, which need no tables */
void hiera_page_compose(const HieraPage *page, FILE *stream);

/** Return the Content-Security-Policy of a page, to be freed with g_free. @param served  as in HieraPage */
char *hiera_page_policy(gboolean served);

/** A page for a server: complete but for the levels of detail, which are made on request. */
typedef struct HieraLivePage HieraLivePage;

/** Make the page for a server. @param page  its match and scope must outlive the result */
HieraLivePage *hiera_live_page_new(const HieraPage *page);
void hiera_live_page_free(HieraLivePage *live);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraLivePage, hiera_live_page_free)

/** Return the HTML, owned by the page. */
const char *hiera_live_page_peek_html(const HieraLivePage *live, gsize *n);

/** Return a block by its name, deflated. transform/page/README.md lists the blocks.
 * @return NULL if there is no such block; to be freed with g_byte_array_unref */
GByteArray *hiera_live_page_block(const HieraLivePage *live, const char *name);

/** Return the block `found` for the chosen operations, deflated. @param chosen  by row: whether it is chosen */
GByteArray *hiera_live_page_found(const HieraLivePage *live, const guint8 *chosen);
