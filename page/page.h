/** The page: one self-contained HTML file that shows a whole run. */
#ifndef HIERA_PAGE_H
#define HIERA_PAGE_H

#include "hiera_match.h"
#include "hiera_measure.h"

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
} HieraPage;

/** Write the page. A stream that fails is not looked at: ask ferror. */
void hiera_page_compose(const HieraPage *page, FILE *stream);

#endif
