/* Writes all of the HTML file but the levels of detail of the timeline; --html and --serve share this code. */
#pragma once

#include "page.h"
#include "sums.h"

/* Write the head with the Content-Security-Policy, and the page's frame. */
void hiera_page_top_write(const HieraPage *page, const HieraScene *scene, FILE *stream);
/* Write all blocks but the levels of detail, and the page's script.
 * @param waits    HieraWait of the whole run, by row
 * @param details  HieraDetail of the levels that the page has */
void hiera_page_rest_write(const HieraPage *page, const HieraScene *scene, const GArray *waits, const GArray *details,
                           FILE *stream);
