/* See call_filter.h. A call is left out in one of two ways.
 *
 * If the whole level is off, or if the head of the trace has the same information (the group env), the wrapper calls
 * PMPI at once and no record is made. All other calls are recorded; the writer then adds them to the sums of its file
 * instead of writing them. */
#include "call_filter.h"

#include "base/settings.h"
#include "job/job.h"
#include "mpi/call/call_record.h"
#include "mpi/call/mpi_level.h"
#include "mpi/handle/comms.h"
#include "write/filter_rules.h"

#include <stdlib.h>
#include <string.h>

enum { NO_ARGUMENT = 0xff };

/* What the filter rules say about all calls of an MPI function, before any is made. */
typedef struct Foreseen {
    uint8_t verdict; /* a HieraFilterVerdict */
    uint8_t comm;    /* index of the argument `comm`; NO_ARGUMENT: the function has none */
    bool uncounted;  /* whether filtered calls are not counted, since the trace's head has their results (group env) */
    const uint8_t *met; /* by rule: the result of hiera_rules_name() for this function */
} Foreseen;

static Foreseen *foreseen; /* by MPI function; NULL: there are no rules */

/* Whether a word of a filter rule names the call: "send", "MPI_Send" and the group "p2p" all name MPI_Send. */
static bool names_call(const HieraMpiCall *call, const char *word, size_t n, bool group)
{
    bool function = n > 4 && strncmp(word, "MPI_", 4) == 0;
    if (function) {
        word += 4;
        n -= 4;
    }
    return (strlen(call->operation) == n && strncasecmp(call->operation, word, n) == 0) ||
           (strlen(call->function) == n && strncasecmp(call->function, word, n) == 0) ||
           (group && !function && strlen(call->group) == n && strncmp(call->group, word, n) == 0);
}

static bool is_known(const char *word, size_t n)
{
    for (unsigned i = 0; i < hiera_mpi_call_count; i++)
        if (names_call(&hiera_mpi_calls[i], word, n, true))
            return true;
    return false;
}

static bool is_named(const HieraSubject *subject, const char *word, size_t n, bool group)
{
    return names_call(subject->named, word, n, group);
}

static uint8_t find_comm(const HieraMpiCall *call)
{
    static const char comm[] = " comm=\"";
    for (uint8_t i = 0; i < call->n_arguments; i++)
        if (call->arguments[i].offset != 0 && strncmp(call->arguments[i].begin, comm, sizeof comm - 1) == 0)
            return i;
    return NO_ARGUMENT;
}

static void foresee(unsigned call, uint8_t *met)
{
    HieraSubject subject = {.is_named = is_named, .named = &hiera_mpi_calls[call], .level = "mpi"};
    for (size_t i = 0; i < hiera_rules_count(); i++)
        met[i] = hiera_rules_name(i, &subject);
    foreseen[call] = (Foreseen){(uint8_t)hiera_rules_foresee(met), find_comm(&hiera_mpi_calls[call]),
                                strcmp(hiera_mpi_calls[call].group, "env") == 0, met};
}

void hiera_call_filter_load(void)
{
    hiera_rules_load(is_known);
    size_t n = hiera_rules_count();
    foreseen = n > 0 ? calloc(hiera_mpi_call_count, sizeof *foreseen) : NULL;
    uint8_t *met = foreseen ? calloc(hiera_mpi_call_count, n) : NULL;
    if (!met)
        foreseen = NULL;
    for (unsigned i = 0; foreseen && i < hiera_mpi_call_count; i++) {
        foresee(i, met + i * n);
        hiera_mpi_filtered[i] = foreseen[i].verdict == HIERA_FILTER_HIDE && foreseen[i].uncounted;
    }
    if (hiera_settings.levels[0] && !hiera_settings_has_word(hiera_settings.levels, "mpi"))
        memset(hiera_mpi_filtered, HIERA_FILTERED_ALWAYS, hiera_mpi_call_count);
}

/* Return the number of the call's communicator; HIERA_SUM_NO_COMM if it has none. */
static uint32_t comm_of(const HieraMpiRecord *record, unsigned call)
{
    uint8_t i = foreseen[call].comm;
    if (i == NO_ARGUMENT || (record->flags & (1u << i)))
        return HIERA_SUM_NO_COMM;
    uint32_t number;
    memcpy(&number, (const char *)record + hiera_mpi_calls[call].arguments[i].offset, sizeof number);
    return number;
}

static bool ask(const HieraMpiRecord *record, unsigned call, uint32_t comm, bool open, uint64_t time_ns)
{
    HieraSubject subject = {.is_named = is_named, .named = &hiera_mpi_calls[call], .level = "mpi", .open = open};
    const HieraComm *facts = comm == HIERA_SUM_NO_COMM ? NULL : hiera_comm_facts(comm);
    subject.met = foreseen[call].met;
    subject.comm = facts ? facts->id : NULL;
    subject.comm_name = facts ? facts->name : NULL;
    subject.rank = hiera_job.rank;
    subject.bytes = record->sent > record->received ? record->sent : record->received;
    subject.time_ns = (int64_t)time_ns;
    return hiera_rules_hide(&subject);
}

bool hiera_call_filter_keeps(unsigned call)
{
    return !foreseen || foreseen[call].verdict == HIERA_FILTER_KEEP;
}

static __attribute__((noinline)) bool hide(HieraSums *sums, const HieraMpiRecord *record, unsigned call)
{
    uint64_t finish = __atomic_load_n(&record->head.finish, __ATOMIC_ACQUIRE), start = record->head.start, time_ns = 0;
    if (finish > start)
        time_ns = hiera_clock_ns(finish) - hiera_clock_ns(start);
    uint32_t comm = comm_of(record, call);
    if (foreseen[call].verdict == HIERA_FILTER_ASK && !ask(record, call, comm, finish == 0, time_ns))
        return false;
    HieraSumRow *row = foreseen[call].uncounted ? NULL : hiera_sums_of_call(sums, record->head.call, comm);
    if (!row && !foreseen[call].uncounted)
        return false; /* there is no memory to count the call: write the record to the trace */
    if (row)
        hiera_sums_add(row, finish ? record->sent : -1, finish ? record->received : -1, time_ns);
    return true;
}

bool hiera_call_filter_hide(HieraSums *sums, const HieraRecord *head)
{
    unsigned call = head->call - HIERA_RECORD_CALLS;
    return HIERA_UNLIKELY(!hiera_call_filter_keeps(call)) && hide(sums, (const HieraMpiRecord *)head, call);
}
