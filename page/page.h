/** The page: one self-contained HTML file that shows a whole run. */
#ifndef HIERA_PAGE_H
#define HIERA_PAGE_H

#include "hiera_match.h"
#include "hiera_measure.h"

/** Pictures that several processes have made together. */
typedef struct HieraPageShared HieraPageShared;

/** What the page shows. */
typedef struct {
    const HieraMatch *match;       /* of the whole run */
    const HieraScope *scope;       /* its ranks and times narrow the pictures */
    const char *part;              /* how the user named the part that the page shows; "": the whole run */
    HieraTable *const *tables;     /* answers of measures, settled; n_tables of them */
    const char *const *help;       /* of each table: what its measure answers */
    guint n_tables;
    const HieraFindings *findings; /* what is wrong with the traces */
    const char *command;           /* the traces as the user named them, for the commands that the page shows */
    gboolean served;               /* its levels of detail come from a server */
    const HieraPageShared *shared; /* pictures that are made already; NULL: none */
} HieraPage;

/** Write the page. A stream that fails is not looked at: ask ferror. */
void hiera_page_compose(const HieraPage *page, FILE *stream);

/** Make pictures together with other processes: each those of its ranks. All call it; what the one that leads gets is
 * whole.
 * @param match  of the operations that this process has
 * @param scope  with its own ranks
 * @return free it with hiera_page_shared_free() */
HieraPageShared *hiera_page_shared_make(const HieraMatch *match, const HieraScope *scope);
void hiera_page_shared_free(HieraPageShared *shared);

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

/** A block by its name, deflated. page/README.md lists them.
 * @return NULL if there is no such block; to be freed with g_byte_array_unref */
GByteArray *hiera_live_page_block(const HieraLivePage *live, const char *name);

/** The block `found` of operations that are chosen, deflated. @param chosen  by row */
GByteArray *hiera_live_page_found(const HieraLivePage *live, const guint8 *chosen);

#endif
