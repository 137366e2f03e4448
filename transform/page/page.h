/** The page: one self-contained HTML file that shows a whole run. */
#ifndef HIERA_PAGE_H
#define HIERA_PAGE_H

#include "hiera_match.h"
#include "hiera_measure.h"

/** What the page shows. */
typedef struct {
    const HieraMatch *match;   /* of the whole run */
    const HieraScope *scope;   /* its ranks and times narrow the pictures */
    const char *part;          /* how the user named the part that the page shows; "": the whole run */
    HieraTable *const *tables; /* answers of measures, settled; n_tables of them */
    const char *const *help;   /* of each table: what its measure answers */
    guint n_tables;
    const HieraFindings *findings; /* what is wrong with the traces */
    const char *command;           /* the traces as the user named them, for the commands that the page shows */
    gboolean served;               /* its levels of detail come from a server */
} HieraPage;

/** Write the page. A stream that fails is not looked at: ask ferror. Of several processes that have shared the
 * operations out (`own` of the scope) all call it: each makes what belongs to its ranks, and the one that leads writes.
 *
 * @param stream  NULL in the others, which need no tables */
void hiera_page_compose(const HieraPage *page, FILE *stream);

/** The Content-Security-Policy of a page, to be freed. */
char *hiera_page_policy(gboolean served);

/** A page for a server: all of it but the levels of detail, which are made when they are asked for. */
typedef struct HieraLivePage HieraLivePage;

/** Make the page. @param page  its match and its scope must outlive the result */
HieraLivePage *hiera_live_page_new(const HieraPage *page);
void hiera_live_page_free(HieraLivePage *live);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraLivePage, hiera_live_page_free)

/** The HTML, owned by the page. */
const char *hiera_live_page_peek_html(const HieraLivePage *live, gsize *n);

/** A block by its name, deflated. transform/page/README.md lists them.
 * @return NULL if there is no such block; to be freed with g_byte_array_unref */
GByteArray *hiera_live_page_block(const HieraLivePage *live, const char *name);

/** The block `found` of operations that are chosen, deflated. @param chosen  by row */
GByteArray *hiera_live_page_found(const HieraLivePage *live, const guint8 *chosen);

#endif
