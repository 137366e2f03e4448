#include "handle_format.h"

#include "job/job.h"
#include "mpi/handle/comms.h"
#include "mpi/handle/handles.h"
#include "mpi/handle/types.h"
#include "write/element.h"

#include <string.h>

static void make_name_of_handle(HieraText *text, HieraHandleClass kind, uint32_t number)
{
    uint32_t own;
    if (number & HIERA_HANDLE_FREED) {
        HIERA_TEXT_LITERAL(text, "freed");
        number &= ~HIERA_HANDLE_FREED;
        if (kind == HIERA_HANDLE_COMM && hiera_comm_facts(number)->version == 0)
            return; /* its name is not known any more */
        hiera_text_char(text, ':');
    }
    if (kind == HIERA_HANDLE_COMM && hiera_comm_facts(number)->version != 0) {
        const char *id = hiera_comm_facts(number)->id;
        hiera_text_bytes(text, id, strlen(id));
        return;
    }
    const char *name = hiera_handle_name(kind, number, &own);
    if (own)
        hiera_handle_put_owner(text, hiera_job.rank);
    hiera_text_short(text, name, strlen(name));
    if (own)
        hiera_text_unsigned(text, own);
}

/* Most calls use the same communicator and type as the previous call, so the last name of each class is cached. Only
 * the name of a communicator can be too long for the cache. */
void hiera_format_handle(HieraText *text, HieraHandleClass kind, uint32_t number)
{
    enum { NAME = 48 };
    static struct {
        uint32_t number, version, length; /* length 0: the cache entry is empty */
        char name[NAME];
    } last[HIERA_HANDLE_CLASS_COUNT];
    uint32_t version = kind == HIERA_HANDLE_COMM ? hiera_comm_facts(number)->version : 0;
    if (version != 0 && strlen(hiera_comm_facts(number)->id) >= NAME) {
        make_name_of_handle(text, kind, number);
        return;
    }
    if (last[kind].length == 0 || last[kind].number != number || last[kind].version != version) {
        char block[NAME + HIERA_TEXT_MARGIN];
        HieraText name = hiera_text_into(block, NAME);
        make_name_of_handle(&name, kind, number);
        last[kind].length = 0;
        __atomic_signal_fence(__ATOMIC_SEQ_CST); /* order of stores: a signal handler may come here and use the cache */
        last[kind].number = number;
        last[kind].version = version;
        memcpy(last[kind].name, block, (size_t)(name.next - block));
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        last[kind].length = (uint32_t)(name.next - block);
    }
    hiera_text_padded(text, last[kind].name, NAME, last[kind].length);
}

static void put_attribute(HieraText *text, const char *begin, const char *value)
{
    hiera_text_bytes(text, begin, strlen(begin));
    hiera_text_escaped(text, value, strlen(value));
    hiera_text_char(text, '"');
}

static void put_comm(HieraTraceFile *stream, uint32_t number)
{
    const HieraComm *comm = hiera_comm_facts(number);
    HIERA_ELEMENT_OPEN(stream, "<hieraComm");
    put_attribute(stream->text, " id=\"", comm->id);
    put_attribute(stream->text, " ranks=\"", comm->ranks);
    if (comm->remote)
        put_attribute(stream->text, " remote=\"", comm->remote);
    if (comm->name)
        put_attribute(stream->text, " name=\"", comm->name);
    if (comm->sources)
        put_attribute(stream->text, " neighbors_in=\"", comm->sources);
    if (comm->destinations)
        put_attribute(stream->text, " neighbors_out=\"", comm->destinations);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

static void declare_comm(HieraTraceFile *stream, uint32_t number)
{
    uint32_t version = __atomic_load_n(&hiera_comm_facts(number)->version, __ATOMIC_ACQUIRE);
    if (version != 0 && !hiera_trace_file_declare(stream, HIERA_DECLARED_COMM, number, version))
        put_comm(stream, number);
}

/* Declare a group unless that was done; only groups of one-sided epochs, whose members are known. */
static void declare_group(HieraTraceFile *stream, uint32_t number)
{
    const HieraGroup *group = hiera_group_facts(number);
    if (group->version == 0 || hiera_trace_file_declare(stream, HIERA_DECLARED_GROUP, number, group->version))
        return;
    HIERA_ELEMENT_OPEN(stream, "<hieraGroup id=\"");
    hiera_format_handle(stream->text, HIERA_HANDLE_GROUP, number);
    put_attribute(stream->text, "\" ranks=\"", group->ranks);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

static void declare_type(HieraTraceFile *stream, uint32_t number)
{
    const HieraType *type = hiera_type_facts(number);
    uint32_t version = __atomic_load_n(&type->version, __ATOMIC_ACQUIRE);
    if (version == 0 || hiera_trace_file_declare(stream, HIERA_DECLARED_TYPE, number, version))
        return;
    HIERA_ELEMENT_OPEN(stream, "<hieraType id=\"");
    hiera_format_handle(stream->text, HIERA_HANDLE_TYPE, number);
    HIERA_TEXT_LITERAL(stream->text, "\" size=\"");
    hiera_text_signed(stream->text, type->size);
    HIERA_TEXT_LITERAL(stream->text, "\" extent=\"");
    hiera_text_signed(stream->text, type->extent);
    HIERA_TEXT_LITERAL(stream->text, "\"");
    if (type->signature)
        put_attribute(stream->text, " signature=\"", type->signature);
    if (type->name)
        put_attribute(stream->text, " name=\"", type->name);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

static void declare(HieraTraceFile *stream, unsigned kind, uint32_t number)
{
    if (kind == HIERA_ARGUMENT_HANDLE + HIERA_HANDLE_COMM)
        declare_comm(stream, number);
    else if (kind == HIERA_ARGUMENT_HANDLE + HIERA_HANDLE_TYPE)
        declare_type(stream, number);
    else if (kind == HIERA_ARGUMENT_HANDLE + HIERA_HANDLE_GROUP)
        declare_group(stream, number);
}

void hiera_format_declarations(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                               bool complete)
{
    for (uint32_t set = hiera_call_present(call->sets.declared, record); set;) {
        const HieraArgument *argument = hiera_call_next(call, &set);
        uint32_t number;
        memcpy(&number, (const char *)record + argument->offset, sizeof number);
        declare(stream, argument->kind, number);
    }
    for (const HieraTail *tail = complete ? hiera_mpi_next_tail(record, NULL) : NULL; tail;
         tail = hiera_mpi_next_tail(record, tail)) {
        const HieraTail *contents = hiera_mpi_tail_contents(tail);
        const HieraArgument *argument = hiera_tail_argument(call, tail);
        if (argument && argument->kind >= HIERA_ARGUMENT_HANDLE)
            for (uint32_t i = 0; i < contents->stored; i++)
                declare(stream, argument->kind, ((const uint32_t *)(const void *)(contents + 1))[i]);
    }
}

void hiera_format_declare_comm(HieraTraceFile *stream, uint32_t comm, bool note)
{
    if (note)
        declare_comm(stream, comm);
    else if (!hiera_trace_file_has_declared(stream, HIERA_DECLARED_COMM, comm) && hiera_comm_facts(comm)->version != 0)
        put_comm(stream, comm);
}
