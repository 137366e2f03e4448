/* --html and --serve: run the measures that the page shows, and write or serve the page. */
#pragma once

#include "cli/options/options.h"

/* Answers that several processes find together. All processes do the same. */
typedef struct PageAnswers PageAnswers;

/* @param scope    of --ranks, --from, …; what it points to must outlive the reading
 * @param catalog  of the traces
 * @return free it with page_answers_free() */
PageAnswers *page_answers_new(const HieraScope *scope, const HieraCatalog *catalog);
void page_answers_free(PageAnswers *answers);
/* What is answered while the traces are read, if there is no --where, and then. */
void page_answers_add_sinks(const PageAnswers *answers, GArray *sinks);
void page_answers_finish(PageAnswers *answers);
/* The others, from operations that are shared out. @param scope  with the own processors, and what --where has chosen
 */
void page_answers_find(PageAnswers *answers, const HieraMatch *match, const HieraScope *scope);
/* Take over what the texts of the tables are in. */
void page_answers_hold(PageAnswers *answers, HieraCatalog *catalog, GPtrArray *paths);

/* Of several processes that have shared the operations out, the one that leads calls this, or gives up, and the others
 * follow.
 *
 * @param scope   narrows the page: its ranks and times all of it, the rest of it the tables
 * @param shared  answers that are known, which are used up; NULL: none */
gboolean page_write(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, PageAnswers *shared, GError **error);

void page_give_up(const HieraScope *scope);
void page_follow(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                 const Options *options);

/* Serve the page until a signal comes. */
gboolean page_serve(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, GError **error);
