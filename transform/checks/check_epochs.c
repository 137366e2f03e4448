/* Epochs of windows: reports the calls on windows that break MPI's rules, which matching has collected. */
#include "base/attribute_columns.h"
#include "checks.h"

/* Whether a fence makes no promise: its argument `assert` is 0. */
static gboolean is_plain(const HieraTrace *trace, guint32 fence)
{
    guint column = hiera_attribute_columns_find(HIERA_ATTRIBUTE_OF_FENCES);
    const HieraAttributeValue *value = column == HIERA_NONE ? NULL : hiera_trace_find_attribute(trace, fence, column);
    return value && value->number == 0;
}

/* Report a misuse of a window: one finding for each call site and trace file. */
static void check_misuse(const HieraCheck *check, const HieraMisuse *misuse)
{
    const char *path = hiera_check_path(check, misuse->row);
    gboolean between = misuse->fences[0] != HIERA_NONE;
    if (between && !(is_plain(check->trace, misuse->fences[0]) && is_plain(check->trace, misuse->fences[1])))
        return;
    g_autofree char *subject = g_strdup_printf("%u %s %s", check->trace->site[misuse->row], misuse->text, path);
    g_autofree char *operation = hiera_check_describe(check, misuse->row);
    hiera_check_add(check, between ? HIERA_FINDING_EPOCH_LOOSE : HIERA_FINDING_EPOCH, misuse->row, HIERA_NONE, subject,
                    "%s on %s %s", operation,
                    hiera_catalog_peek_communicator(check->trace->catalog, check->trace->comm[misuse->row])->id,
                    misuse->text);
}

/* Report the misuses of windows. They are sorted by processor; within a processor, in matching's order. */
void hiera_check_epochs(const HieraCheck *check)
{
    guint32 last = HIERA_NONE, number = 0;
    for (guint i = 0; i < check->match->misuses->len; i++) {
        const HieraMisuse *misuse = &g_array_index(check->match->misuses, HieraMisuse, i);
        guint32 processor = hiera_trace_find_processor(check->trace, misuse->row);
        number = processor == last ? number + 1 : 0;
        last = processor;
        hiera_check_stand(check, processor, number);
        if (hiera_scope_is_own(check->scope, processor))
            check_misuse(check, misuse);
    }
}
