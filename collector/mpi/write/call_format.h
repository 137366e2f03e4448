/* Pieces of the elements of MPI calls, common to both spellings. */
#ifndef HIERA_CALL_FORMAT_H
#define HIERA_CALL_FORMAT_H

#include "mpi/call/call_record.h"
#include "write/trace_file.h"

/* ` name="value"` of those of a set that the record has. */
void hiera_format_arguments(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call, uint32_t set);

typedef enum HieraPart { HIERA_PART_ALL, HIERA_PART_REQUESTS, HIERA_PART_OTHERS } HieraPart;

/* … of one argument that it has. */
void hiera_format_argument(HieraText *text, const HieraMpiRecord *record, const HieraArgument *argument);

/* ` name="value …"` of the tails of a record: all, those that list requests, or the others. */
void hiera_format_tails(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call, HieraPart part);

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
void hiera_format_declarations(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                               bool complete);

/* For the sums of what was only counted: the attributes that say what its calls were; the declaration of a
 * communicator, where the stream has none. */
void hiera_format_sum(HieraTraceFile *stream, const HieraSumRow *row);
void hiera_format_declare_comm(HieraTraceFile *stream, uint32_t comm);

#endif
