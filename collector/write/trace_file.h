/* One trace file (or one stream: the file of a thread, which becomes a section of the trace).
 *
 * After every flush the file is a complete XML document: it ends with a tail that closes the open elements, and the
 * next flush overwrites the tail. So a job that is killed leaves valid XML; an element that has not ended has
 * finish_time="". If a flush fails, or if a fault interrupts it, file and HieraTraceFile are restored to their last
 * good state, and the same records can be written again.
 *
 * The same holds for a compressed file. It is a sequence of frames (compress.h), and a frame ends wherever the file may
 * have to be cut or overwritten. */
#pragma once

#include "base/xml_text.h"
#include "filtered_totals.h"
#include "memory/stable_array.h"
#include "record/record.h"
#include "store/store.h"

/* Kinds of objects that a trace declares before it refers to them. */
typedef enum HieraDeclaredKind {
    HIERA_DECLARED_COMM,
    HIERA_DECLARED_TYPE,
    HIERA_DECLARED_GROUP,
    HIERA_DECLARED_KINDS
} HieraDeclaredKind;

/* A declaration in a file: its version, and the value of HieraTraceFile.declaring when it was made. */
typedef struct HieraDeclaration {
    uint32_t version, declaring;
} HieraDeclaration;

enum { HIERA_FRAME_REGION, HIERA_FRAME_OOPS, HIERA_FRAME_CALL, HIERA_FRAME_HIDDEN, HIERA_FRAME_MPI };

typedef struct HieraFrame {
    uint64_t patch;  /* position in the file where the finish time must be filled in; 0: the finish time is written */
    uint8_t element; /* HIERA_FRAME_… */
    bool is_held;    /* true if its begin was held back (loops.h) */
    uint32_t sum;    /* for a filtered region: index of its row + 1; else 0 */
    uint64_t start;  /* start of a filtered region in ticks; of a HIERA_FRAME_CALL in nanoseconds */
} HieraFrame;

/* Return the end tag of an open element; "" for HIERA_FRAME_HIDDEN. */
const char *hiera_frame_end_tag(uint8_t element);

/* State that a flush changes. A flush that fails restores it, like the frames and the totals. */
typedef struct HieraFileState {
    uint64_t last_start_ns; /* start of the last element */
    uint64_t objects;       /* declared objects, as bits by number (objects.h) */
    uint64_t counters;      /* declared counters, as bits by their place in hiera_region_counters */
    uint64_t lost_open;     /* number of regions lost for lack of memory */
    size_t unkept;          /* number of open regions without frame, all inside the innermost frame */
    uint32_t last_request;  /* number of the last started request, 0: none */
    bool holds; /* true if the last written call is left open for the calls of its callbacks, whose begin is the next
                   record */
} HieraFileState;

typedef struct HieraTraceFile {
    bool is_packed, is_stored; /* packed: in frames; stored: in frames without compression */
    HieraText *text;           /* the block of text, while this file is being written */
    HieraStore *store;         /* where the bytes go; NULL: not open */
    int error;                 /* errno of the last flush, 0: it succeeded */
    int misplaced;             /* errno that explains why the file does not have its proper name; 0: it has */
    int cause;                 /* errno of the first flush that lost operations, 0: none */
    unsigned number;           /* number of the file's thread */
    uint64_t position;         /* position in the file where the block begins */
    uint64_t safe;             /* position in the file where the tail begins */
    uint64_t file_end;         /* length of the file with its tail */
    uint64_t header_bytes;
    uint64_t since_ns;                /* begin of the trace, in ns (latest/); 0: it begins with the process */
    HieraFileState state, kept_state; /* state now, and at the begin of the flush */
    HieraNear near_times, near_span;  /* caches of the last times as text, */
    HieraNearNumber near_request;     /* cache of the last number of a request as text */
    uint64_t unsure;                  /* number of operations of this flush */
    uint64_t filtered;                /* number of calls that a filter has left out since hiera_writer_write() began */
    uint64_t operations;              /* number of operations of all earlier flushes, which are in the file */
    uint64_t lost;                    /* number of operations that could not be written */
    bool start_tag_open;
    HieraFrame *frames; /* open elements, the outermost first */
    HieraFrame *kept;   /* open elements at the begin of the flush */
    size_t n_frames, n_kept, room_frames;
    uint8_t *safe_frames; /* elements that are open at `safe` in the file */
    size_t n_safe_frames;
    size_t n_common; /* how many of these elements are still open: no lost record has ended them */
    size_t depth;    /* number of frames that are not HIERA_FRAME_HIDDEN */
    HieraStableArray declared[HIERA_DECLARED_KINDS]; /* arrays of HieraDeclaration */
    uint32_t declaring;                              /* increases when all declarations must be made again */
    struct HieraDictionary *dictionary; /* of the compact encoding (call_dictionary.h); NULL: full encoding */
    bool becomes_compact;               /* true if the file gets a dictionary when it is long enough */
    struct HieraLoops *loops;           /* state for folding repeated calls (loops.h); NULL: they are not folded */
    uint32_t n_held;                    /* number of calls, begins and ends that are held back for folding, */
    void (*put_held)(struct HieraTraceFile *);  /* function that writes these before any other element, ... */
    void (*end_loops)(struct HieraTraceFile *); /* function that frees `loops` */
    struct HieraTurns *turns; /* state for summing repeated calls (turns.h); NULL: they are not summed */
    const struct HieraTurnsOps *turns_ops;
    void (*put_inside)(struct HieraTraceFile *,
                       size_t frame); /* in the last flush, writes text before an open element's end tag; or NULL */
    HieraSums sums;                   /* sums of operations that were counted but not recorded */
    uint64_t tail_room;               /* length of the tail in the file, including the blank lines after it */
} HieraTraceFile;

/* Make a HieraTraceFile. hiera_trace_file_open() gives it a store. NULL if there is no memory. */
HieraTraceFile *hiera_trace_file_new(unsigned number);

/* Close the file and free the HieraTraceFile; NULL is allowed. */
void hiera_trace_file_free(HieraTraceFile *stream);

/* Use this store, which is empty. NULL: it could not be made because of `error`, which becomes stream->error; then
 * false is returned. */
bool hiera_trace_file_open(HieraTraceFile *stream, HieraStore *store, int error);

/* In the process that completes the trace of another one, which was killed: open the file again. Returns 0 or the
 * error. */
int hiera_trace_file_open_again(HieraTraceFile *stream, intptr_t moved);
/* After hiera_trace_file_recover(): determine the length of the file. */
void hiera_trace_file_measure(HieraTraceFile *stream);

/* In a forked child: close the file, which belongs to the parent process. */
void hiera_trace_file_leave_to_parent(HieraTraceFile *stream);

/* Expected course after a flush. */
typedef enum HieraFlush {
    HIERA_FLUSH_MORE,  /* further flushes are likely */
    HIERA_FLUSH_LAST,  /* this flush is the last one */
    HIERA_FLUSH_TRIAL, /* the process will probably end; if not, the next flush writes the same records again */
} HieraFlush;

/* Begin and end of a flush. hiera_trace_file_begin() sets stream->text to the block. hiera_trace_file_end() writes the
 * block and the tail. `tail` (may be NULL) writes the text between the end tags of open elements and the end of the
 * file. Returns whether all text is in the file. If not, or on trial, the state before hiera_trace_file_begin() is
 * restored. Only one file at a time, with the session's lock held. */
void hiera_trace_file_begin(HieraTraceFile *stream);
bool hiera_trace_file_end(HieraTraceFile *stream, void (*tail)(HieraTraceFile *), HieraFlush flush);

/* Before the end of a flush: if it succeeds, *where becomes `value` together with the state of the file. So a process
 * that is killed has written its records or not, and nothing in between. */
void hiera_trace_file_notes(void *where, void *value);

/* A fault has interrupted this thread during a flush, or the process was killed: undo the flush. */
void hiera_trace_file_recover(void);

/* The file is not needed any more: a flush of it that was interrupted needs no undoing. */
void hiera_trace_file_drop_flush(const HieraTraceFile *stream);

/* Write a slot: bytes that can be overwritten later, at most HIERA_SLOT_MAX. Returns its position in the file. */
enum { HIERA_SLOT_MAX = 8 << 10 };
uint64_t hiera_trace_file_put_slot(HieraTraceFile *stream, const char *bytes, size_t n);

/* Overwrite a slot, in the block or in the file. `n` must be the same as before. */
void hiera_trace_file_patch(HieraTraceFile *stream, uint64_t slot, const char *bytes, size_t n);

/* Return the number of bytes in the file for a slot of n bytes. */
size_t hiera_trace_file_slot_bytes(size_t n);

/* Append the whole file of another stream, with its tail. */
void hiera_trace_file_append_file(HieraTraceFile *stream, const HieraTraceFile *part);

/* Make room for one more open element. If there is no memory, count one open element without frame (`unkept`). The
 * second function must be called at each end: it returns true if it was the end of such an element. */
bool hiera_trace_file_make_room(HieraTraceFile *stream);
bool hiera_trace_file_end_unkept(HieraTraceFile *stream);

/* Add an open element (false if there is no memory); remove the innermost one. */
bool hiera_trace_file_push(HieraTraceFile *stream, HieraFrame frame);
HieraFrame hiera_trace_file_pop(HieraTraceFile *stream);

/* Whether this file has declared object `id` in this version. If not, remember that it has from now on. */
bool hiera_trace_file_declare(HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id, uint32_t version);

/* Whether this file has declared object `id` in any version. */
bool hiera_trace_file_has_declared(const HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id);

/* Drop the information about a declaration: no record refers to the object any more. */
void hiera_trace_file_forget_declared(HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id);
