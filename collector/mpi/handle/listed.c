/* See listed.h. What has been read counts if the call was still in progress then: else the list ends there. */
#include "listed.h"

#include "mpi/write/call_format.h"

static bool is_there(const HieraMpiRecord *record, const HieraTail *tail)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return (__atomic_load_n(&record->flags, __ATOMIC_RELAXED) & HIERA_MPI_LISTED) != 0 &&
           tail->argument == HIERA_TAIL_LISTED;
}

void hiera_listed_put(HieraText *text, const HieraMpiRecord *record)
{
    const HieraTail *there = hiera_listed_place(record);
    const HieraPending *pending = (const HieraPending *)(intptr_t)there->total;
    HieraTail list = {.total = there->stored};
    if (!is_there(record, there))
        return;
    HIERA_TEXT_LITERAL(text, " requests=\"");
    for (; list.stored < list.total; list.stored++) {
        uint32_t number = hiera_request_listed(&pending[list.stored]);
        if (!is_there(record, there))
            break;
        if (list.stored > 0)
            hiera_text_char(text, ' ');
        hiera_text_unsigned(text, number);
    }
    hiera_format_list_end(text, &list);
}
