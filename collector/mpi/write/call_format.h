/* Writes the attributes of the elements of MPI calls, for the full and the compact encoding. */
#pragma once

#include "mpi/call/call_record.h"
#include "profile/tree.h"
#include "write/trace_file.h"

/* Write ` name="value"` for each argument of a set (HieraArgumentSets) that is present in the record. */
void hiera_format_arguments(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call, uint32_t set);

typedef enum HieraCallPart { HIERA_CALL_PART_ALL, HIERA_CALL_PART_REQUESTS, HIERA_CALL_PART_OTHERS } HieraCallPart;

/* Begin of the list of requests that a test found incomplete; and what stands between first and last of a range. */
#define HIERA_PENDING_BEGIN " pending=\""
#define HIERA_REQUESTS_TO   ".."

/* Write ` name="value"` for an argument that is present in the record. */
void hiera_format_argument(HieraText *text, const HieraMpiRecord *record, const HieraArgument *argument);

/* Write ` name="value …"` for the tails of a record: all tails, only lists of requests, or only the others. */
void hiera_format_tails(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call, HieraCallPart part);

/* Declare the program and libraries in which buffers of a call are; write the buffers of a call that has begun. Nothing
 * without HIERA_CHECK=buffers. */
void hiera_format_declare_buffers(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call);
void hiera_format_buffers(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call);

/* Bits for the lists of a call that completes requests. */
enum {
    HIERA_LIST_REQUESTS = 1,
    HIERA_LIST_SOURCES = 2,
    HIERA_LIST_TAGS = 4,
    HIERA_LIST_SIZES = 8,
    HIERA_LISTS_OTHERS = HIERA_LIST_SOURCES | HIERA_LIST_TAGS | HIERA_LIST_SIZES
};

/* Write ` requests="…" sources="…" tags="…" sizes="…"`; only the lists whose bits are in `lists`. */
void hiera_format_completion(HieraText *text, const HieraTail *completion, unsigned lists);

/* Write the end of a list: the closing quote, after the full length if not all elements were stored. */
void hiera_format_list_end(HieraText *text, const HieraTail *tail);

/* Write ` bytes="…"` and ` rbytes="…"`, unless negative; ` error="…"`, unless MPI_SUCCESS; and for wildcards `
 * posted="any"` and ` posted_tag="any"`. */
void hiera_format_bytes(HieraText *text, int64_t sent, int64_t received);
void hiera_format_error(HieraText *text, int32_t error);
void hiera_format_posted(HieraText *text, uint32_t flags);

/* Write the attributes level, operation and comm of an element that sums up filtered calls. */
void hiera_format_sum(HieraTraceFile *stream, const HieraSumRow *row);

/* Write parts of elements of a profile: the begin of a function's element; the communicator and peer of a part. */
void hiera_format_call(HieraText *text, uint32_t call);
void hiera_format_part(HieraText *text, const HieraProfilePart *part);
