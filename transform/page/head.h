/* The page's JSON blocks `head`, about the run as a whole, and `tables`, with the results of measures. */
#pragma once

#include "page.h"
#include "timeline/levels.h"

/* Write the block `head`. @param details  HieraDetail of the levels that the page has */
void hiera_head_write(const HieraPage *page, const HieraScene *scene, const GArray *details, FILE *stream);
void hiera_page_tables_write(const HieraPage *page, FILE *stream);
