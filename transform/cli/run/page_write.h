/* --html and --serve: run the measures that the page shows; write the page, or serve it to browsers. */
#pragma once

#include "cli/options/options.h"

/* Answers of the page that several processes compute together. All processes call its functions. */
typedef struct PageAnswers PageAnswers;

/* @param scope    scope of --ranks, --from, …; what it points to must outlive the reading
 * @param catalog  of the traces
 * @return to be freed with page_answers_free() */
PageAnswers *page_answers_new(const HieraScope *scope, const HieraCatalog *catalog);
void page_answers_free(PageAnswers *answers);
/* Add the sinks of answers that are computed while the traces are read (not with --where); finish these answers
 * afterwards. */
void page_answers_add_sinks(const PageAnswers *answers, GArray *sinks);
void page_answers_finish(PageAnswers *answers);
/* Compute the other answers, from operations that are distributed over processes. @param scope  with the processors of
 * this process, and the operations that --where has chosen */
void page_answers_find(PageAnswers *answers, const HieraMatch *match, const HieraScope *scope);
/* Take ownership of the catalog and the paths, because the tables point to texts in them. */
void page_answers_hold(PageAnswers *answers, HieraCatalog *catalog, GPtrArray *paths);

/* Write the page. If several processes have distributed the operations, process 0 calls this or page_give_up(), and the
 * others page_follow().
 *
 * @param scope   its ranks and times narrow the whole page, the rest of it only the tables
 * @param shared  answers that are known already; they are used up; NULL if none */
gboolean page_write(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, PageAnswers *shared, GError **error);

void page_give_up(const HieraScope *scope);
void page_follow(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                 const Options *options);

/* Serve the page over HTTP until the program gets a signal. */
gboolean page_serve(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, GError **error);
