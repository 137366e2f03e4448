/* Writes the parts of the file other than levels of detail; --html and --serve share them. */
#pragma once

#include "page.h"
#include "sums.h"

/* Write the head with the policy, and the frame. */
void hiera_page_top_write(const HieraPage *page, const HieraScene *scene, FILE *stream);
/* Write all blocks without levels, and the script.
 * @param waits    waits of the whole run, by row
 * @param details  the levels that the page has */
void hiera_page_rest_write(const HieraPage *page, const HieraScene *scene, const GArray *waits, const GArray *details,
                           FILE *stream);
