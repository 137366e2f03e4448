/* The MPI level: what the generated wrappers stand on.
 *
 * A wrapper opens a record, calls PMPI, and stores the arguments as numbers: handles become small numbers at once (a
 * handle may be gone when the trace is written), everything else stays raw. HieraCall describes the record of each
 * function, so that one writer (call_writer.c) prints them all. */
#ifndef HIERA_MPI_LEVEL_H
#define HIERA_MPI_LEVEL_H

#include "record/record.h"

#include <mpi.h>

/* Classes of handles: X(identifier, C type, prefix of the name of one that the program made). */
#define HIERA_HANDLE_CLASSES(X)                                                                                        \
    X(COMM, MPI_Comm, "comm")                                                                                          \
    X(TYPE, MPI_Datatype, "dtype")                                                                                     \
    X(OP, MPI_Op, "op")                                                                                                \
    X(GROUP, MPI_Group, "group")                                                                                       \
    X(INFO, MPI_Info, "info")                                                                                          \
    X(ERRHANDLER, MPI_Errhandler, "errhandler")                                                                        \
    X(WIN, MPI_Win, "win")                                                                                             \
    X(FILE, MPI_File, "file")                                                                                          \
    X(MESSAGE, MPI_Message, "message")                                                                                 \
    X(SESSION, MPI_Session, "session")                                                                                 \
    X(ENUM, MPI_T_enum, "enum")                                                                                        \
    X(CVAR, MPI_T_cvar_handle, "cvar")                                                                                 \
    X(PVAR, MPI_T_pvar_handle, "pvar")                                                                                 \
    X(PVAR_SESSION, MPI_T_pvar_session, "pvar_session")                                                                \
    X(EVENT, MPI_T_event_registration, "event")

typedef enum HieraHandleClass {
#define X(identifier, type, prefix) HIERA_HANDLE_##identifier,
    HIERA_HANDLE_CLASSES(X)
#undef X
        HIERA_HANDLE_CLASS_COUNT
} HieraHandleClass;

/* A handle of any class in any MPI (a pointer or an int) as a key; never 0 or 1, which the map keeps for itself. */
#define HIERA_KEY(handle) ((uint64_t)(uintptr_t)(handle) ^ UINT64_C(1) << 63)

/* How an argument is stored and printed. */
typedef enum HieraArgumentKind {
    HIERA_ARGUMENT_INT,    /* int32_t */
    HIERA_ARGUMENT_RANK,   /* int32_t with MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_ROOT */
    HIERA_ARGUMENT_TAG,    /* int32_t with MPI_ANY_TAG */
    HIERA_ARGUMENT_COLOR,  /* int32_t with MPI_UNDEFINED */
    HIERA_ARGUMENT_LONG,   /* int64_t */
    HIERA_ARGUMENT_DOUBLE, /* double */
    HIERA_ARGUMENT_SYMBOL, /* the address of a function */
    HIERA_ARGUMENT_TEXT,   /* bytes; only as a tail */
    HIERA_ARGUMENT_NUMBER, /* uint32_t: a request; 0: none */
    HIERA_ARGUMENT_HANDLE  /* uint32_t, number of a handle; the class is kind - HIERA_ARGUMENT_HANDLE */
} HieraArgumentKind;

typedef struct HieraArgument {
    char begin[28]; /* ` count="`, in place and always copied whole: faster than as many bytes as it has */
    uint8_t begin_length;
    uint8_t kind;
    uint16_t offset; /* in the record; 0 for one that is stored in the tail */
} HieraArgument;

/* Arguments of a function that have a place in its record, as bits by their index. */
typedef struct HieraArgumentSets {
    uint32_t own;      /* by nature: requests, messages */
    uint32_t common;   /* the others */
    uint32_t taken;    /* of these, those whose name means something else in a `c` */
    uint32_t declared; /* communicators, datatypes and groups, which the trace declares */
    uint32_t requests; /* of its own: requests … */
    uint32_t started;  /* … and of these the one that the call makes */
} HieraArgumentSets;

typedef struct HieraCall {
    char element[60]; /* `<hieraMPI operation="send"`, copied whole like HieraArgument.begin */
    uint16_t element_length;
    uint16_t n_arguments;
    uint16_t bytes; /* of the record's fixed part */
    bool padded;    /* four bytes behind its last argument are nobody's */
    HieraArgumentSets sets;
    const char *group;
    const char *operation;
    const char *function; /* without MPI_ */
    const HieraArgument *arguments;
} HieraCall;

extern const HieraCall hiera_mpi_calls[];
extern const unsigned hiera_mpi_call_count;

/* For each call: does it leave nothing, not even a sum (HIERA_LEVELS, the group env)? Has this process not joined? */
enum { HIERA_FILTERED_ALWAYS = 1, HIERA_FILTERED_EARLY = 2 };
extern uint8_t hiera_mpi_filtered[];

/* Flags of a record; the low bits say which arguments are absent, by their index. */
#define HIERA_MPI_POSTED_ANY     (1u << 31) /* the program asked for MPI_ANY_SOURCE */
#define HIERA_MPI_POSTED_ANY_TAG (1u << 30) /* … for MPI_ANY_TAG */
#define HIERA_MPI_LISTED         (1u << 29) /* the call is in progress; its requests stand behind the record (listed.h) */

/* Begin of the record of every MPI call. Behind it the function's own arguments, then the tail: arrays and texts. */
typedef struct HieraMpiRecord {
    HieraRecord head;
    uint32_t flags;
    int32_t error; /* what the call returned, if not MPI_SUCCESS */
    int64_t sent;  /* bytes; -1: does not apply or is not known */
    int64_t received;
} HieraMpiRecord;

/* One argument in the tail. The elements follow: 4 bytes each, 8 for LONG and SYMBOL, 1 for TEXT; or HieraCompleted. A
 * list that is too long for the buffer stands in a block of its own, as a HieraTail with its elements. */
typedef struct HieraTail {
    uint32_t argument; /* index in the call's description, or HIERA_TAIL_COMPLETION, HIERA_TAIL_LISTED */
    uint32_t stored;   /* elements here, or HIERA_TAIL_ELSEWHERE */
    int64_t total;     /* elements that the argument had; or the block's address */
} HieraTail;

#define HIERA_TAIL_ELSEWHERE UINT32_MAX

/* A completed request: an element of the tail of a call that completes some. */
typedef struct HieraCompleted {
    int64_t size; /* HIERA_NO_STATUS: there is none, the request was no receive or was cancelled */
    uint32_t number;
    int32_t source;
    int32_t tag;
} HieraCompleted;

#define HIERA_NO_STATUS INT64_MIN

enum { HIERA_TAIL_COMPLETION = 1000, HIERA_TAIL_LISTED = 1001 };

/* --- the frame of a call --- */

/* The rare way of the next one (late_join.c): where a call is marked otherwise than for always, or nothing is recorded. */
bool hiera_mpi_is_left_out(unsigned call);

/* Is this call to be recorded? Its thread if so, else NULL. `frame` is the wrapper's stack frame: a call below one that
 * is in progress was made by MPI itself; one above it means that the other was left by longjmp or an exception. */
static inline HieraThread *hiera_mpi_enter(unsigned call, const void *frame)
{
    uint8_t filtered = hiera_mpi_filtered[call];
    if (HIERA_UNLIKELY(filtered | hiera_may_be_idle()) &&
        (filtered == HIERA_FILTERED_ALWAYS || hiera_mpi_is_left_out(call)))
        return NULL;
    HieraThread *thread = hiera_thread_current();
    if (HIERA_UNLIKELY(!thread || (thread->inside && (uintptr_t)frame < thread->inside)))
        return NULL;
    return thread;
}

/* A Fortran entry point of ours has been called and has gone on to MPI: where MPI's Fortran calls the C function of the
 * same name, all is noted already. */
typedef struct HieraForwarded {
    unsigned call;
    uintptr_t frame; /* 0: none */
} HieraForwarded;

extern __thread HieraForwarded hiera_forwarded __attribute__((tls_model("initial-exec")));

static inline bool hiera_mpi_is_forwarded(unsigned call, const void *frame)
{
    bool same = hiera_forwarded.frame > (uintptr_t)frame && hiera_forwarded.call == call;
    if (same)
        hiera_forwarded.frame = 0; /* only the first: a callback may make the same call itself */
    return same;
}

/* Open the record. NULL if there is no room for it. `room` is what it may need beyond its fixed part. */
static inline void *hiera_mpi_begin(HieraThread *thread, unsigned call, size_t bytes, size_t room, const void *site,
                                    const void *frame)
{
    if (!hiera_record_room(thread, bytes + room)) {
        thread->lost_unwritten++;
        return NULL;
    }
    HieraMpiRecord *record = (HieraMpiRecord *)(void *)thread->next;
    thread->inside = (uintptr_t)frame;
    thread->inside_regions = 0;
    record->head.bytes = (uint32_t)bytes;
    record->head.call = HIERA_RECORD_CALLS + call;
    record->head.finish = 0;
    record->head.site = site;
    record->flags = 0;
    record->error = 0;
    record->sent = record->received = -1;
    return record;
}

/* The arguments that are known are stored: from now on the call is in the trace; it starts. */
static inline void hiera_mpi_start(HieraThread *thread, HieraMpiRecord *record)
{
    record->head.start = hiera_clock_ticks();
    hiera_record_take(thread, record->head.bytes);
}

/* The call has returned at `finish` and all is stored. */
static inline void hiera_mpi_finish(HieraThread *thread, HieraMpiRecord *record, uint64_t finish)
{
    __atomic_store_n(&record->head.finish, finish, __ATOMIC_RELEASE);
    thread->inside = 0;
}

/* --- tails; only while the record is the last of its buffer --- */

void hiera_mpi_put_ints(HieraThread *, HieraMpiRecord *, unsigned argument, const int *values, int64_t n);
void hiera_mpi_put_longs(HieraThread *, HieraMpiRecord *, unsigned argument, const int64_t *values, int64_t n);
/* A text of at most `room` bytes, its NUL included. */
void hiera_mpi_put_text(HieraThread *, HieraMpiRecord *, unsigned argument, const char *text, int64_t room);
/* n texts (-1: up to a NULL), quoted as for a shell; n such lists, with a semicolon between them. */
void hiera_mpi_put_words(HieraThread *, HieraMpiRecord *, unsigned argument, char *const *words, int64_t n);
void hiera_mpi_put_wordlists(HieraThread *, HieraMpiRecord *, unsigned argument, char **const *lists, int64_t n);

enum { HIERA_TEXT_MAX = 64 << 10 };

/* Room for n elements that the caller fills in; *stored is how many of them are kept (HIERA_ARRAYS). */
void *hiera_mpi_put_space(HieraThread *, HieraMpiRecord *, unsigned argument, int64_t n, size_t element_bytes,
                          uint32_t *stored);

/* The tail behind this one, NULL at the end of the record. `tail` NULL asks for the first. */
const HieraTail *hiera_mpi_next_tail(const HieraMpiRecord *record, const HieraTail *tail);

/* The record is gone: give back the blocks of its tails. */
void hiera_mpi_drop_blocks(const HieraRecord *record);

/* Where the elements of a tail stand. */
static inline const HieraTail *hiera_mpi_tail_contents(const HieraTail *tail)
{
    return tail->stored == HIERA_TAIL_ELSEWHERE ? (const HieraTail *)(intptr_t)tail->total : tail;
}

/* --- handles (handles.c, comms.c, types.c) --- */

/* The number of a handle, 0 if it is not known. Never asks MPI: an argument need not be valid where MPI ignores it. */
uint32_t hiera_handle_find(HieraHandleClass kind, uint64_t key);

/* The number of an object that a call made. If its handle is known, the old object was released where we did not see
 * it; predefined ones stay. */
uint32_t hiera_handle_new(HieraHandleClass kind, uint64_t key);

/* The number of an object that a call gave out though it may have made it earlier: a new one if it is not known. It is
 * to be released as often as it is given out. */
uint32_t hiera_handle_again(HieraHandleClass kind, uint64_t key);

/* A handle is released: forget it before the call that does so, since it may be given out again at once. Returns its
 * number if it is the last time, else 0. */
uint32_t hiera_handle_forget(HieraHandleClass kind, uint64_t key);

/* It was the last time, and the call has succeeded: what is known of the number (0: none) is given back once nothing
 * names it (released.c). */
void hiera_handle_released(HieraHandleClass kind, uint32_t number);

/* The same of a text that was known of one. NULL is allowed. */
void hiera_text_released(char *text);

/* The released handle came back unharmed because the call failed. */
void hiera_handle_restore(HieraHandleClass kind, uint64_t key, uint32_t number);

/* Name of a handle's number: predefined, or prefix and count; *own is 0 for a predefined one. */
const char *hiera_handle_name(HieraHandleClass kind, uint32_t number, uint32_t *own);

extern uint32_t hiera_handle_epoch;

/* Communicators and datatypes are looked up with nearly every call: remember the last one. */
static inline uint32_t hiera_handle_recall(HieraThread *thread, int memo, HieraHandleClass kind, uint64_t key)
{
    uint32_t epoch = __atomic_load_n(&hiera_handle_epoch, __ATOMIC_RELAXED);
    if (HIERA_LIKELY(thread->memo_handle[memo] == key && thread->memo_epoch == epoch))
        return thread->memo_id[memo];
    if (thread->memo_epoch != epoch) {
        thread->memo_handle[0] = thread->memo_handle[1] = 0;
        thread->memo_epoch = epoch;
    }
    thread->memo_id[memo] = hiera_handle_find(kind, key);
    thread->memo_handle[memo] = key;
    return thread->memo_id[memo];
}

typedef struct HieraComm {
    char *id;      /* "P0_comm1" */
    char *ranks;   /* world ranks, "0-6:2 9" */
    char *remote;  /* of the other group, NULL for an intracommunicator */
    char *name;    /* given by the program, or NULL */
    char *sources; /* ranks in it of this rank's neighbours in a topology, NULL without one */
    char *destinations;
    uint8_t *sources_there; /* by neighbour: does it exist, or is it MPI_PROC_NULL, beyond a border? */
    uint8_t *destinations_there;
    int n_in, n_out;               /* neighbours, */
    int n_sources, n_destinations; /* those that exist */
    int rank, size, peers; /* peers: members that a collective talks to: size, or the remote group's */
    int leader;            /* world rank of the first member in this world; of both groups the lower one */
    bool leads_remote;     /* it is of the other group */
    uint32_t version;      /* changes with the name */
    uint32_t made;         /* constructors that all its members took part in */
    struct HieraHandleMap *made_of; /* those that took part were just these members: hash → how many; NULL: none yet */
} HieraComm;

typedef struct HieraType {
    int64_t size, extent; /* bytes */
    char *name;
    uint32_t version;
} HieraType;

/* World ranks of a group. */
typedef struct HieraGroup {
    char *ranks;
    uint32_t version; /* 0: nobody asked */
} HieraGroup;

/* Facts of a number; never NULL (number 0 has unknown ones: no members, size -1). Without a lock. */
const HieraComm *hiera_comm_facts(uint32_t number);
const HieraType *hiera_type_facts(uint32_t number);
const HieraGroup *hiera_group_facts(uint32_t number);

/* Nothing names this number any more. */
void hiera_comm_forget(uint32_t number);
void hiera_type_forget(uint32_t number);
void hiera_group_forget(uint32_t number);

/* Ask MPI who is in a group, once. */
void hiera_group_note(uint32_t number, MPI_Group group);

/* Who is in the call that gives out a communicator: by that all its members find the same name. */
typedef enum HieraCommOrigin {
    HIERA_COMM_OF_PARENT,  /* all members of the parent */
    HIERA_COMM_LATER,      /* the same, and it is complete later: a non-blocking duplicate */
    HIERA_COMM_OF_MEMBERS, /* its own members alone */
    HIERA_COMM_AGAIN       /* this process alone: it may be known already */
} HieraCommOrigin;

/* The number of a communicator that a call gave out, MPI_COMM_NULL too; `parent` 0 if there is none or it is not known.
 */
uint32_t hiera_comm_new(MPI_Comm comm, HieraCommOrigin origin, uint32_t parent, int tag);

/* Names (comm_names.c). NULL without memory. `turn`: which constructor on the parent, from 1. */
char *hiera_comm_name_from_parent(const char *parent, uint32_t turn, int leader);
char *hiera_comm_name_from_members(HieraComm *parent, const char *ranks, const char *remote, int leader, int tag);

uint32_t hiera_type_new(MPI_Datatype type);
uint32_t hiera_type_again(MPI_Datatype type);
void hiera_comm_set_name(uint32_t number, const char *name);
void hiera_type_set_name(uint32_t number, const char *name);

/* Bytes of `count` elements of a type, -1 if that is not known. */
static inline int64_t hiera_type_bytes(uint32_t number, int64_t count)
{
    int64_t size = hiera_type_facts(number)->size;
    if (size >= 0 && count >= 0)
        return size * count;
    return count == 0 ? 0 : -1; /* nothing is nothing, whatever its type */
}

/* How many elements of each sort the constructor of a type had (MPI_Type_get_contents). */
typedef enum HieraContents {
    HIERA_CONTENTS_INTEGERS,
    HIERA_CONTENTS_ADDRESSES,
    HIERA_CONTENTS_LARGE_COUNTS,
    HIERA_CONTENTS_DATATYPES
} HieraContents;
int64_t hiera_type_contents(MPI_Datatype type, HieraContents what);

/* How many members of each sort a category of the tool interface tells where there is room for `len` (mpi_t.c). */
typedef enum HieraMembers {
    HIERA_MEMBERS_CVARS,
    HIERA_MEMBERS_PVARS,
    HIERA_MEMBERS_CATEGORIES,
    HIERA_MEMBERS_EVENTS
} HieraMembers;
int hiera_tool_members(int category, HieraMembers what, int len);

/* The last of n, 0 if there is none. */
static inline int hiera_last(const int *values, int n)
{
    return n > 0 ? values[n - 1] : 0;
}

/* What a call filled of the room that it was given, where it tells how much there would have been. */
static inline int hiera_least(int room, const int *there_is)
{
    return !there_is || *there_is > room ? room : *there_is;
}

/* Sum of counts; bytes of counts of one type each, -1 if a type is not known. Of an array for neighbours `there` says
 * which of them exist; NULL: all. */
int64_t hiera_sum_ints(const int *counts, int64_t n, const uint8_t *there);
int64_t hiera_sum_longs(const int64_t *counts, int64_t n, const uint8_t *there);
int64_t hiera_sum_typed_ints(const int *counts, const MPI_Datatype *types, int64_t n, const uint8_t *there);
int64_t hiera_sum_typed_longs(const int64_t *counts, const MPI_Datatype *types, int64_t n, const uint8_t *there);

/* The count at the place of this rank in a communicator; -1 if its rank is not known. */
int64_t hiera_own_ints(const int *counts, uint32_t comm);
int64_t hiera_own_longs(const int64_t *counts, uint32_t comm);

/* What a rank is in a rooted collective, as bits: by that its arguments have a meaning or none. On an intercommunicator
 * the root is who gives MPI_ROOT, the members are the other group, and those that give MPI_PROC_NULL are neither. */
enum { HIERA_ROLE_ROOT = 1, HIERA_ROLE_MEMBER = 2 };

static inline unsigned hiera_mpi_role(uint32_t comm, int root)
{
    const HieraComm *facts = hiera_comm_facts(comm);
    if (HIERA_LIKELY(!facts->remote))
        return HIERA_ROLE_MEMBER | (root == facts->rank && root >= 0 ? HIERA_ROLE_ROOT : 0);
    return root == MPI_ROOT ? HIERA_ROLE_ROOT : root >= 0 ? HIERA_ROLE_MEMBER : 0;
}

/* Is it an array, and not one of the constants that stand for none? */
static inline bool hiera_mpi_is_array(const void *array)
{
    return array && array != (const void *)MPI_UNWEIGHTED && array != (const void *)MPI_WEIGHTS_EMPTY &&
           array != (const void *)MPI_ERRCODES_IGNORE;
}

/* Neighbours of a communicator with a topology; 0 if it has none. */
int hiera_comm_degree(MPI_Comm comm, bool outgoing);

/* Dimensions of a communicator with a Cartesian topology; 0 if it has none. */
int hiera_comm_dimensions(MPI_Comm comm);

/* --- start and end (init_finalize.c) --- */

void hiera_types_start(void);
void hiera_comms_start(void); /* MPI_COMM_WORLD is there */
void hiera_comms_stop(void);  /* and goes */

/* The same without MPI_Init: the group that stands for all processes; taken over. */
bool hiera_comms_know_world(void);
void hiera_comms_set_world(MPI_Group world);

#endif
