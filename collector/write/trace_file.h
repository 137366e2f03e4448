/* One file of a trace, and the text that goes to it.
 *
 * After every flush the file is whole: behind what was written stands a tail that closes the open elements, and the
 * next flush begins where the tail does. A job that is killed leaves valid XML; what it has not ended has
 * finish_time="". A flush that fails, or that was interrupted by a fault, is as if it had never begun: the file is cut
 * back to its last good state, the stream too, and the same records can be written again.
 *
 * All that holds for a compressed file too: what stands in it is a row of frames (compress.h), and wherever something
 * may have to be cut off or written over, a frame ends. */
#ifndef HIERA_TRACE_FILE_H
#define HIERA_TRACE_FILE_H

#include "base/stable_array.h"
#include "base/xml_text.h"
#include "filtered_totals.h"
#include "record/record.h"

#include <sys/types.h>

/* Objects that a trace declares before it names them. */
typedef enum HieraDeclaredKind {
    HIERA_DECLARED_COMM,
    HIERA_DECLARED_TYPE,
    HIERA_DECLARED_GROUP,
    HIERA_DECLARED_KINDS
} HieraDeclaredKind;

/* What a file has declared: in which version, and before or after the last time that it had to begin again. */
typedef struct HieraDeclaration {
    uint32_t version, declaring;
} HieraDeclaration;

enum { HIERA_FRAME_REGION, HIERA_FRAME_OOPS, HIERA_FRAME_CALL, HIERA_FRAME_HIDDEN };

typedef struct HieraFrame {
    uint64_t patch;  /* where in the file the finish time is still to be filled in; 0: it is there */
    uint8_t element; /* HIERA_FRAME_… */
    uint32_t sum;    /* of a region that is only counted: number of its row + 1 */
    uint64_t start;  /* … and its start in ticks; of one in compact spelling whose finish is to be filled in, in ns */
} HieraFrame;

typedef struct HieraTraceFile {
    bool is_packed, is_stored; /* stored: packed, but not compressed, since its room in the file must not change */
    HieraText *text;           /* the block, while this stream is being written */
    int fd;                    /* -1: not open */
    int error;                 /* errno of the last flush, 0: it was good */
    int misplaced;             /* error that keeps the file from having its name, 0: none */
    int cause;                 /* errno of the first one by which something was lost, 0: nothing was */
    unsigned number;           /* of its thread */
    char *path;
    dev_t device; /* which file it is: the program may close our descriptor and get its number for a file of its own */
    ino_t inode;
    uint64_t position; /* in the file, where the block begins */
    uint64_t safe;     /* in the file, where the tail begins */
    uint64_t file_end; /* of the file, behind its tail */
    uint64_t header_bytes;
    uint64_t last_start_ns, kept_start_ns;
    uint64_t objects, kept_objects;      /* declared, a bit for each number (objects.h) */
    uint32_t last_request, kept_request; /* number of the request that the section started last, 0: none */
    HieraNear near_times, near_span;     /* the last times, as text */
    uint64_t unsure;                     /* operations of this flush */
    uint64_t operations;                 /* … and of all before it that are in the file */
    uint64_t lost_open, kept_lost_open;  /* regions for which there was no memory */
    size_t unkept, kept_unkept;          /* of them, those that are open: all within the innermost frame */
    uint64_t lost;                       /* operations that could not be written */
    bool start_tag_open;
    HieraFrame *frames; /* open elements, outermost first */
    HieraFrame *kept;   /* the same when the flush began */
    size_t n_frames, n_kept, room_frames;
    uint8_t *safe_frames; /* elements that are open in the file, at `safe` */
    size_t n_safe_frames;
    size_t n_common;                                 /* of them, those not ended since by a record that was lost */
    size_t depth;                                    /* frames that are visible */
    HieraStableArray declared[HIERA_DECLARED_KINDS]; /* of HieraDeclaration */
    uint32_t declaring;                              /* rises when all that was declared is to be declared again */
    struct HieraDictionary *dictionary;              /* in compact spelling (call_dictionary.h), else NULL */
    HieraSums sums;                                  /* what was counted and not recorded */
    uint64_t tail_room; /* bytes that the tail has in the file, blank lines behind it included */
} HieraTraceFile;

/* Make a stream for `path` (copied); the file is given by hiera_trace_file_open(). NULL without memory. */
HieraTraceFile *hiera_trace_file_new(const char *path, unsigned number);

/* Close the file and free the stream; NULL is allowed. */
void hiera_trace_file_free(HieraTraceFile *stream);

/* Its file is this one, empty; -1: there is none for that reason. Errors: false, stream->error is set. */
bool hiera_trace_file_open(HieraTraceFile *stream, int fd, int error);

/* In a forked child: the file is the parent's alone. */
void hiera_trace_file_leave_to_parent(HieraTraceFile *stream);

/* What becomes of a flush. */
typedef enum HieraFlush {
    HIERA_FLUSH_MORE,  /* others are likely to follow */
    HIERA_FLUSH_LAST,  /* none is */
    HIERA_FLUSH_TRIAL, /* the process is likely to end at once: if it lives on, the next flush writes the same again */
} HieraFlush;

/* Bracket what is written: hiera_trace_file_begin() lends the block, hiera_trace_file_end() empties it into the file
 * and writes the tail. `tail` adds what stands between the open elements' ends and the end of the file, may be NULL.
 * Returns whether all of it is in the file; if not, or on trial, the stream is as before hiera_trace_file_begin(). One
 * stream at a time, with the session's lock held. */
void hiera_trace_file_begin(HieraTraceFile *stream);
bool hiera_trace_file_end(HieraTraceFile *stream, void (*tail)(HieraTraceFile *), HieraFlush flush);

/* A fault interrupted this thread between the two: undo what was begun. */
void hiera_trace_file_recover(void);

/* Put bytes that can be written over later: a slot. Returns where it is in the file; at most HIERA_SLOT_MAX. */
enum { HIERA_SLOT_MAX = 8 << 10 };
uint64_t hiera_trace_file_put_slot(HieraTraceFile *stream, const char *bytes, size_t n);

/* Write over a slot, in the block or in the file: as many bytes as it has. */
void hiera_trace_file_patch(HieraTraceFile *stream, uint64_t slot, const char *bytes, size_t n);

/* What a slot of n bytes takes in the file. */
size_t hiera_trace_file_slot_bytes(size_t n);

/* Append all of another stream's file, its tail included. */
void hiera_trace_file_append_file(HieraTraceFile *stream, const HieraTraceFile *part);

/* Room for one more open element? If not, one more is open that is not in the file: its end comes first. */
bool hiera_trace_file_make_room(HieraTraceFile *stream);
bool hiera_trace_file_end_unkept(HieraTraceFile *stream);

/* Remember an open element; false without memory. Forget the innermost one. */
bool hiera_trace_file_push(HieraTraceFile *stream, HieraFrame frame);
HieraFrame hiera_trace_file_pop(HieraTraceFile *stream);

/* Has this stream declared object `id` in this version? Notes that it has. */
bool hiera_trace_file_declare(HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id, uint32_t version);

/* … in any version; notes nothing. */
bool hiera_trace_file_has_declared(const HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id);

/* Nothing names this object any more. */
void hiera_trace_file_forget_declared(HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id);

#endif
