/* Numbers contexts in the order of their first use, so that the numbers do not depend on which file was read
 * first. */
#include "match_calls.h"
#include <string.h>

typedef struct {
    const HieraCatalog *catalog;
    guint32 *numbers; /* by the catalog's number of a context: its new number; HIERA_NONE: none yet */
    guint32 next;
} Numbers;

static void number_context(Numbers *numbers, guint32 comm)
{
    if (comm == HIERA_NONE)
        return;
    guint32 *number = &numbers->numbers[hiera_catalog_peek_communicator(numbers->catalog, comm)->context];
    if (*number == HIERA_NONE)
        *number = numbers->next++;
}

guint32 *hiera_match_number_contexts(const HieraTrace *trace)
{
    guint32 n_communicators = hiera_catalog_count_communicators(trace->catalog);
    Numbers numbers = {trace->catalog, g_new(guint32, (gsize)n_communicators + 1), 0};
    memset(numbers.numbers, 0xff, n_communicators * sizeof *numbers.numbers); /* all bits set is HIERA_NONE */
    for (guint32 row = 0; row < trace->n_operations && numbers.next < n_communicators; row++) {
        number_context(&numbers, trace->comm[row]);
        number_context(&numbers, hiera_trace_peek_sparse(trace, row)->other);
    }
    for (guint32 comm = 0; comm < n_communicators; comm++)
        number_context(&numbers, comm);
    return numbers.numbers;
}
