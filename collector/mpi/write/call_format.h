/* Pieces of the elements of MPI calls, common to both spellings. */
#ifndef HIERA_MPI_FORMAT_H
#define HIERA_MPI_FORMAT_H

#include "mpi/call/mpi_level.h"
#include "write/trace_file.h"

/* Those of a set of arguments (HieraArgumentSets) that the record has. */
static inline uint32_t hiera_format_present(uint32_t set, const HieraMpiRecord *record)
{
    return set & ~record->flags;
}

/* The first of a set that is not empty, which is taken out of it. */
static inline const HieraArgument *hiera_format_next(const HieraCall *call, uint32_t *set)
{
    const HieraArgument *argument = &call->arguments[__builtin_ctz(*set)];
    *set &= *set - 1;
    return argument;
}

/* ` name="value"` of those of a set that the record has. */
void hiera_format_arguments(HieraText *text, const HieraMpiRecord *record, const HieraCall *call, uint32_t set);

typedef enum HieraPart { HIERA_PART_ALL, HIERA_PART_REQUESTS, HIERA_PART_OTHERS } HieraPart;

/* … of one argument that it has. */
void hiera_format_argument(HieraText *text, const HieraMpiRecord *record, const HieraArgument *argument);

/* ` name="value …"` of the tails of a record: all, those that list requests, or the others. */
void hiera_format_tails(HieraText *text, const HieraMpiRecord *record, const HieraCall *call, HieraPart part);

/* Of what a tail's elements are made; not of a completion's. */
size_t hiera_format_element_bytes(unsigned kind);

/* … what has a place of its own in a record. */
static inline size_t hiera_format_value_bytes(unsigned kind)
{
    bool wide = kind == HIERA_ARGUMENT_LONG || kind == HIERA_ARGUMENT_SYMBOL || kind == HIERA_ARGUMENT_DOUBLE;
    return wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* The lists of a completing call, as bits. */
enum {
    HIERA_LIST_REQUESTS = 1,
    HIERA_LIST_SOURCES = 2,
    HIERA_LIST_TAGS = 4,
    HIERA_LIST_SIZES = 8,
    HIERA_LISTS_OTHERS = HIERA_LIST_SOURCES | HIERA_LIST_TAGS | HIERA_LIST_SIZES
};

/* ` requests="…" sources="…" tags="…" sizes="…"`, those of them. */
void hiera_format_completion(HieraText *text, const HieraTail *completion, unsigned lists);

/* Behind the last element of a list: how many it has, if not all of them were kept; the quote. */
void hiera_format_list_end(HieraText *text, const HieraTail *tail);

/* ` bytes="…"`, ` rbytes="…"`: of what is not negative; ` error="…"` if there was one; ` posted="any"`. */
void hiera_format_bytes(HieraText *text, int64_t sent, int64_t received);
void hiera_format_error(HieraText *text, int32_t error);
void hiera_format_posted(HieraText *text, uint32_t flags);

/* Communicators, datatypes and groups are declared before the first element that names them. @param complete  its tails
 * are there */
void hiera_format_declarations(HieraStream *stream, const HieraMpiRecord *record, const HieraCall *call, bool complete);

/* For the sums of what was only counted: the attributes that say what its calls were; the declaration of a
 * communicator, where the stream has none. */
void hiera_format_sum(HieraStream *stream, const HieraSumRow *row);
void hiera_format_declare_comm(HieraStream *stream, uint32_t comm);

#endif
