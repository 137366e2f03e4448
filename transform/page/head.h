/* JSON blocks about the run as a whole, and with the results of measures. */
#pragma once

#include "page.h"
#include "timeline/levels.h"

/* @param details  the levels that the page has */
void hiera_head_write(const HieraPage *page, const HieraScene *scene, const GArray *details, FILE *stream);
void hiera_page_tables_write(const HieraPage *page, FILE *stream);
