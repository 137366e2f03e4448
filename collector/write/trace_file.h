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

/* Kinds of MPI objects that a trace declares before an element refers to them. */
typedef enum HieraDeclaredKind {
    HIERA_DECLARED_COMM,
    HIERA_DECLARED_TYPE,
    HIERA_DECLARED_GROUP,
    HIERA_DECLARED_KINDS
} HieraDeclaredKind;

/* A declaration in the file: version of the object, and value of HieraTraceFile.declaring when it was written. */
typedef struct HieraDeclaration {
    uint32_t version, declaring;
} HieraDeclaration;

enum { HIERA_FRAME_REGION, HIERA_FRAME_OOPS, HIERA_FRAME_CALL, HIERA_FRAME_FILTERED, HIERA_FRAME_MPI };

typedef struct HieraFrame {
    uint64_t patch;  /* position in the file where the finish time is filled in later; 0: it is written */
    uint8_t element; /* kind of the element, HIERA_FRAME_… */
    bool is_held;    /* true if the element's begin was held back for folding (loops.h) */
    uint32_t sum;    /* index + 1 of the row of totals for a filtered region; 0: not filtered */
    uint64_t start;  /* begin of a filtered region in ticks; of a HIERA_FRAME_CALL in ns; else not set */
} HieraFrame;

/* Return the end tag for a kind of element, HIERA_FRAME_…; "" for HIERA_FRAME_FILTERED. */
const char *hiera_frame_end_tag(uint8_t element);

/* State of a file that changes during a flush. A flush that fails restores it, as it does frames and totals. */
typedef struct HieraFileState {
    uint64_t last_start_ns; /* start in ns of the element that was written last */
    uint64_t objects;       /* programs and libraries that are declared in the file, as bits by number (objects.h) */
    uint64_t counters;      /* counters that are declared in the file, as bits by index in hiera_region_counters */
    uint64_t lost_open;     /* number of regions lost because there was no memory for a frame */
    size_t unkept;          /* number of open regions without a frame; all are inside the innermost frame */
    uint32_t last_request;  /* number of the request that was started last; 0: none */
    bool holds; /* true if the last written call is left open for the calls of its callbacks, whose begin is the next
                   record */
} HieraFileState;

typedef struct HieraTraceFile {
    bool is_packed, is_stored; /* packed: in frames (compress.h); stored: new frames are not compressed now */
    HieraText *text;           /* block of text while this file is being written; else NULL */
    HieraStore *store;         /* store that takes the file's bytes; NULL: the file is not open */
    int error;                 /* errno of the last flush; 0: it succeeded */
    int misplaced;             /* errno that explains why the file does not have its proper name; 0: it has this name */
    int cause;                 /* errno of the first flush that lost operations; 0: none did */
    unsigned number;           /* number of the thread whose operations the file has */
    uint64_t position;         /* position in the file at which the block's text will be written */
    uint64_t safe;             /* position in the file at which the tail begins */
    uint64_t file_end;         /* length of the file including its tail */
    uint64_t header_bytes;
    uint64_t since_ns; /* begin of the trace in ns, if it begins later than the process (latest/); else 0 */
    HieraFileState state, kept_state; /* state now; state at the begin of the flush */
    HieraNear near_times, near_span;  /* caches of the last times as text: of elements, of references */
    HieraNearNumber near_request;     /* cache of the last number of a request as text */
    uint64_t unsure;                  /* number of operations in this flush */
    uint64_t filtered;   /* number of calls that filters have left out since the last hiera_writer_write() began */
    uint64_t operations; /* number of operations in the file, of all earlier flushes */
    uint64_t lost;       /* number of operations that could not be written to the file */
    bool start_tag_open;
    HieraFrame *frames; /* stack of the open elements, outermost first */
    HieraFrame *kept;   /* copy of `frames` at the begin of the flush */
    size_t n_frames, n_kept, room_frames;
    uint8_t *safe_frames; /* kinds (HIERA_FRAME_…) of the elements that are open at position `safe` in the file */
    size_t n_safe_frames;
    size_t n_common; /* how many of `safe_frames`, from the outermost, are still open: no lost record has ended them */
    size_t depth;    /* number of entries in `frames` that are not HIERA_FRAME_FILTERED */
    HieraStableArray declared[HIERA_DECLARED_KINDS]; /* by kind: arrays of HieraDeclaration, by object's id */
    uint32_t declaring;                 /* number that increases whenever all declarations must be written again */
    struct HieraDictionary *dictionary; /* for the compact encoding (call_dictionary.h); NULL: full encoding */
    bool becomes_compact;     /* true if the file changes to the compact encoding as soon as it is long enough */
    struct HieraLoops *loops; /* state for folding repeated calls (loops.h); NULL: calls are not folded */
    uint32_t n_held;          /* number of calls, begins and ends that are held back for folding */
    void (*put_held)(struct HieraTraceFile *);  /* writes calls that are held back */
    void (*end_loops)(struct HieraTraceFile *); /* frees `loops` */
    struct HieraRepeatedCalls *repeats; /* state for sums of repeated calls (repeats.h); NULL: none are summed */
    const struct HieraRepeatsOps *repeats_ops;
    void (*put_inside)(struct HieraTraceFile *,
                       size_t frame); /* in the last flush, writes text before the end tag of frames[frame]; or NULL */
    HieraSums sums;                   /* totals of operations that were counted but not recorded */
    uint64_t tail_room;               /* number of bytes in the file for the tail, including the blank lines after it */
} HieraTraceFile;

/* Make a HieraTraceFile for a thread's number; NULL: no memory. hiera_trace_file_open() then gives it a store. */
HieraTraceFile *hiera_trace_file_new(unsigned number);

/* Close the file and free the HieraTraceFile; does nothing for NULL. */
void hiera_trace_file_free(HieraTraceFile *stream);

/* Use this store, which is empty. NULL: it could not be made because of `error`, which becomes stream->error; then
 * false is returned. */
bool hiera_trace_file_open(HieraTraceFile *stream, HieraStore *store, int error);

/* In the process that completes the trace of another one, which was killed: open the file again. Returns 0 or the
 * error. `reads`: only for reading, since the other process lives (process/live.h). */
int hiera_trace_file_open_again(HieraTraceFile *stream, intptr_t moved, bool reads);
/* Find the length of the file again after hiera_trace_file_recover(). */
void hiera_trace_file_measure(HieraTraceFile *stream);

/* Close the file in a forked child: it belongs to the parent process. */
void hiera_trace_file_leave_to_parent(HieraTraceFile *stream);

/* What is expected to follow a flush. */
typedef enum HieraFlush {
    HIERA_FLUSH_MORE,  /* further flushes of the file are likely */
    HIERA_FLUSH_LAST,  /* no flush of the file follows */
    HIERA_FLUSH_TRIAL, /* the process will probably end; if it does not, the next flush writes the same records again */
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

/* Undo a flush that was interrupted: by a fault in this thread, or because the process was killed. */
void hiera_trace_file_recover(void);

/* Let hiera_trace_file_recover() not undo an interrupted flush of this file, which is not needed any more. */
void hiera_trace_file_drop_flush(const HieraTraceFile *stream);

/* Write a slot of at most HIERA_SLOT_MAX bytes, which can be overwritten later. Returns its position in the file. */
enum { HIERA_SLOT_MAX = 8 << 10 };
uint64_t hiera_trace_file_put_slot(HieraTraceFile *stream, const char *bytes, size_t n);

/* Overwrite a slot, in the block or in the file. `n`: number of bytes, the same as when the slot was written. */
void hiera_trace_file_patch(HieraTraceFile *stream, uint64_t slot, const char *bytes, size_t n);

/* Return how many bytes a slot of n bytes of text takes in the file: more if the file is compressed. */
size_t hiera_trace_file_slot_bytes(size_t n);

/* Append the whole file `part`, with its tail, to the file `stream`. */
void hiera_trace_file_append_file(HieraTraceFile *stream, const HieraTraceFile *part);

/* Make room for one more open element. If there is no memory, count one open element without frame (`unkept`). The
 * second function must be called at each end: it returns true if it was the end of such an element. */
bool hiera_trace_file_make_room(HieraTraceFile *stream);
bool hiera_trace_file_end_unkept(HieraTraceFile *stream);

/* Push an open element; returns false if there is no memory. Pop the innermost open element. */
bool hiera_trace_file_push(HieraTraceFile *stream, HieraFrame frame);
HieraFrame hiera_trace_file_pop(HieraTraceFile *stream);

/* Whether this file has declared object `id` in this version. If not, remember that it has from now on. */
bool hiera_trace_file_declare(HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id, uint32_t version);

/* Whether this file has declared the object `id` in any version. */
bool hiera_trace_file_has_declared(const HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id);

/* Forget that the object `id` is declared: no record refers to the object any more. */
void hiera_trace_file_forget_declared(HieraTraceFile *stream, HieraDeclaredKind kind, uint32_t id);
