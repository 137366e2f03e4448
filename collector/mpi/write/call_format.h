/* Write the parts of the elements of MPI calls, for both encodings. */
#pragma once

#include "mpi/call/call_record.h"
#include "profile/tree.h"
#include "write/trace_file.h"

/* Write ` name="value"` for the arguments of a set that are present in the record. */
void hiera_format_arguments(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call, uint32_t set);

typedef enum HieraCallPart { HIERA_CALL_PART_ALL, HIERA_CALL_PART_REQUESTS, HIERA_CALL_PART_OTHERS } HieraCallPart;

/* Begin of the list of a test without success; and the text between the first and the last of several requests. */
#define HIERA_PENDING_BEGIN " pending=\""
#define HIERA_REQUESTS_TO   ".."

/* Write ` name="value"` for one argument that is present. */
void hiera_format_argument(HieraText *text, const HieraMpiRecord *record, const HieraArgument *argument);

/* Write ` name="value …"` for the tails of a record: all of them, the lists of requests, or the others. */
void hiera_format_tails(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call, HieraCallPart part);

/* The lists of a completing call, as bits. */
enum {
    HIERA_LIST_REQUESTS = 1,
    HIERA_LIST_SOURCES = 2,
    HIERA_LIST_TAGS = 4,
    HIERA_LIST_SIZES = 8,
    HIERA_LISTS_OTHERS = HIERA_LIST_SOURCES | HIERA_LIST_TAGS | HIERA_LIST_SIZES
};

/* Write ` requests="…" sources="…" tags="…" sizes="…"`, as far as they are in `lists`. */
void hiera_format_completion(HieraText *text, const HieraTail *completion, unsigned lists);

/* Write the end of a list: its full length, if not all elements were stored; and the closing quote. */
void hiera_format_list_end(HieraText *text, const HieraTail *tail);

/* Write ` bytes="…"` and ` rbytes="…"`, unless negative; ` error="…"`, unless MPI_SUCCESS; and for wildcards `
 * posted="any"` and ` posted_tag="any"`. */
void hiera_format_bytes(HieraText *text, int64_t sent, int64_t received);
void hiera_format_error(HieraText *text, int32_t error);
void hiera_format_posted(HieraText *text, uint32_t flags);

/* For the sums of filtered calls: write the attributes level, operation and comm. */
void hiera_format_sum(HieraTraceFile *stream, const HieraSumRow *row);

/* For profiles: write the begin of the element of a function; the communicator and the peer of a part. */
void hiera_format_call(HieraText *text, uint32_t call);
void hiera_format_part(HieraText *text, const HieraProfilePart *part);
