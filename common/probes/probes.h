/* Probe scripts: questions about events of a program, as clauses `description /predicate/ { actions }`.
 *
 * docs/probes.md describes the language. A script is read once; all that can be wrong with it is found then. A state
 * has the variables and aggregations of one rank. A host tells it the events, in the order in which they happen; it
 * writes what the script prints. Neither knows where the events come from. */
#ifndef HIERA_PROBES_H
#define HIERA_PROBES_H

#include "expressions/expression.h"

/* Kinds of probes: X(identifier, word of a description, its name, its period). Each takes the events of its row in
 * HIERA_PROBE_EVENTS. The word of USER is the name of a probe in the program. */
#define HIERA_PROBE_KINDS(X)                                                                                           \
    X(BEGIN, "BEGIN", NEVER, NEVER)                                                                                    \
    X(END, "END", NEVER, NEVER)                                                                                        \
    X(CALL, "call", MAY, NEVER)                                                                                        \
    X(REGION, "region", MAY, NEVER)                                                                                    \
    X(MESSAGE, "message", NEVER, NEVER)                                                                                \
    X(TIMER, "timer", NEVER, MUST)                                                                                     \
    X(MEMORY, "memory", NEVER, MAY)                                                                                    \
    X(PROC, "proc", MAY, NEVER)                                                                                        \
    X(COUNTER, "counter", MUST, NEVER)                                                                                 \
    X(COUNTER_TYPE, "counter-type", MUST, NEVER)                                                                       \
    X(COUNTER_CREATE, "counter-create", MUST, MUST)                                                                    \
    X(COUNTER_LIST, "counter-list", MAY, NEVER)                                                                        \
    X(USER, "", NEVER, NEVER)
typedef enum HieraProbeKind {
#define X(identifier, word, name, period) HIERA_PROBE_##identifier,
    HIERA_PROBE_KINDS(X)
#undef X
        HIERA_N_PROBE_KINDS
} HieraProbeKind;

/* What happens: X(identifier, kind of probe, word of a description). */
#define HIERA_PROBE_EVENTS(X)                                                                                          \
    X(CALL_BEGIN, CALL, "begin")                                                                                       \
    X(CALL_END, CALL, "end")                                                                                           \
    X(REGION_START, REGION, "start")                                                                                   \
    X(REGION_STOP, REGION, "stop")                                                                                     \
    X(REGION_SUSPEND, REGION, "suspend")                                                                               \
    X(REGION_RESUME, REGION, "resume")                                                                                 \
    X(SEND, MESSAGE, "send")                                                                                           \
    X(RECEIVE, MESSAGE, "receive")                                                                                     \
    X(TICK, TIMER, "tick")                                                                                             \
    X(MEMORY_SAMPLE, MEMORY, "sample")                                                                                 \
    X(PROC_READING, PROC, "reading")                                                                                   \
    X(COUNTER_READING, COUNTER, "reading")                                                                             \
    X(COUNTER_TYPE_READING, COUNTER_TYPE, "reading")                                                                   \
    X(COUNTER_CREATE_READING, COUNTER_CREATE, "reading")                                                               \
    X(COUNTER_LISTED, COUNTER_LIST, "listed")                                                                          \
    X(USER, USER, "reached")
typedef enum HieraProbeEventKind {
#define X(identifier, kind, word) HIERA_EVENT_##identifier,
    HIERA_PROBE_EVENTS(X)
#undef X
        HIERA_N_PROBE_EVENTS
} HieraProbeEventKind;

/* What a script knows about an event: X(identifier, name without its sign, type, kinds of probes). A host gives the
 * value of one that it was asked for; it may be missing. docs/probes.md explains them. */
#define HIERA_PROBE_VARIABLES(X)                                                                                       \
    X(EVENT, "event", TEXT, CALL_ | REGION_ | MESSAGE_)                                                                \
    X(NAME, "name", TEXT, CALL_ | REGION_ | USER_)                                                                     \
    X(CALL, "call", TEXT, CALL_ | REGION_ | MESSAGE_)                                                                  \
    X(ARGUMENTS, "arguments", TEXT, USER_)                                                                             \
    X(LEVEL, "level", TEXT, REGION_)                                                                                   \
    X(RANK, "rank", INTEGER, EVERY_)                                                                                   \
    X(HOST, "host", TEXT, EVERY_)                                                                                      \
    X(TIME, "time", DURATION, EVERY_)                                                                                  \
    X(THREAD, "thread", INTEGER, PLACED_)                                                                              \
    X(PROCESSOR, "processor", INTEGER, PLACED_)                                                                        \
    X(DEPTH, "depth", INTEGER, PLACED_)                                                                                \
    X(PATH, "path", TEXT, PLACED_)                                                                                     \
    X(STACK, "stack", TEXT, PLACED_)                                                                                   \
    X(FILE, "file", TEXT, PLACED_)                                                                                     \
    X(LINE, "line", INTEGER, PLACED_)                                                                                  \
    X(START, "start", DURATION, CALL_ | REGION_)                                                                       \
    X(FINISH, "finish", DURATION, CALL_ | REGION_)                                                                     \
    X(DURATION, "duration", DURATION, CALL_ | REGION_)                                                                 \
    X(REGION_ID, "id", INTEGER, REGION_)                                                                               \
    X(PARENT, "parent", INTEGER, REGION_)                                                                              \
    X(ALLOCATIONS, "allocations", INTEGER, REGION_)                                                                    \
    X(FREES, "frees", INTEGER, REGION_)                                                                                \
    X(BYTES_ALLOCATED, "bytes_allocated", INTEGER, REGION_)                                                            \
    X(BYTES_FREED, "bytes_freed", INTEGER, REGION_)                                                                    \
    X(BYTES, "bytes", INTEGER, CALL_ | MESSAGE_)                                                                       \
    X(RECEIVED, "received", INTEGER, CALL_)                                                                            \
    X(PEER, "peer", INTEGER, CALL_)                                                                                    \
    X(SOURCE, "source", INTEGER, CALL_ | MESSAGE_)                                                                     \
    X(TARGET, "target", INTEGER, MESSAGE_)                                                                             \
    X(TAG, "tag", INTEGER, CALL_ | MESSAGE_)                                                                           \
    X(COMM, "comm", TEXT, CALL_ | MESSAGE_)                                                                            \
    X(FAILED, "failed", TRUTH, CALL_)                                                                                  \
    X(SENT, "sent", DURATION, MESSAGE_)                                                                                \
    X(MESSAGE_ID, "id", TEXT, MESSAGE_)                                                                                \
    X(RESIDENT, "resident", INTEGER, MEMORY_)                                                                          \
    X(ALLOCATED, "allocated", INTEGER, MEMORY_)                                                                        \
    X(PROC_NAME, "proc_name", TEXT, PROC_)                                                                             \
    X(PROC_VALUE, "proc_value", NUMBER, PROC_)                                                                         \
    X(COUNTER_NAME, "counter_name", TEXT, COUNTERS_)                                                                   \
    X(COUNTER_VALUE, "counter_value", NUMBER, READ_COUNTERS_)                                                          \
    X(COUNTER_TYPE, "counter_type", TEXT, COUNTERS_)                                                                   \
    X(COUNTER_PARAMETERS, "counter_parameters", TEXT, COUNTERS_)                                                       \
    X(COUNTER_INSTANCE_NAME, "counter_instance_name", TEXT, COUNTERS_)                                                 \
    X(COUNTER_INSTANCE_INDEX, "counter_instance_index", TEXT, COUNTERS_)                                               \
    X(COUNTER_PARENT_INSTANCE_NAME, "counter_parent_instance_name", TEXT, COUNTERS_)                                   \
    X(COUNTER_PARENT_INSTANCE_INDEX, "counter_parent_instance_index", TEXT, COUNTERS_)
typedef enum HieraProbeVariableId {
#define X(identifier, name, type, kinds) HIERA_PROBE_VARIABLE_##identifier,
    HIERA_PROBE_VARIABLES(X)
#undef X
        HIERA_N_PROBE_VARIABLES
} HieraProbeVariableId;

/* An event. `get` returns the value of a variable; a text has to stay until hiera_probe_fire() returns. */
typedef struct HieraProbeEvent {
    HieraProbeEventKind kind;
    HieraValue (*get)(HieraProbeVariableId variable, const void *data);
    const void *data;
    HieraValue (*get_user)(unsigned variable, const void *data); /* of USER: by the order in which they were declared */
    const char *probe;                                           /* of USER: its name */
} HieraProbeEvent;

typedef struct HieraProbeScript HieraProbeScript;

/* Bytes of any message about a script. */
enum { HIERA_PROBE_REPORT = HIERA_EXPRESSION_REPORT };

/* Read a script.
 *
 * @param source  name of the file, or the option that gave the script; copied
 * @param lines   messages count lines; else columns alone
 * @param text    `length` bytes; copied
 * @param report  becomes what is wrong, with the place and a caret
 * @return  NULL if the script is wrong or memory is short. Free with hiera_probe_script_free(). */
HieraProbeScript *hiera_probe_script_parse(const char *source, bool lines, const char *text, size_t length,
                                           char report[HIERA_PROBE_REPORT]);
/* `script` may be NULL. */
void hiera_probe_script_free(HieraProbeScript *script);

/* Number of clauses, in the order of the script. */
unsigned hiera_probe_script_count(const HieraProbeScript *script);
/* Does the script ask for this variable anywhere? */
bool hiera_probe_script_asks(const HieraProbeScript *script, HieraProbeVariableId variable);
/* What kind of probe a clause has. */
HieraProbeKind hiera_probe_clause_kind(const HieraProbeScript *script, unsigned clause);
/* The name in the description of a clause, or that of its probe in the program; NULL: there is none. */
const char *hiera_probe_clause_name(const HieraProbeScript *script, unsigned clause);
/* The period of a timer or of readings; 0: the script leaves it to the host. */
int64_t hiera_probe_clause_period_ns(const HieraProbeScript *script, unsigned clause);
/* Does a clause take events of this kind on this rank? */
bool hiera_probe_clause_takes(const HieraProbeScript *script, unsigned clause, HieraProbeEventKind event, int64_t rank);
/* Does it take them on some rank? */
bool hiera_probe_clause_has_event(const HieraProbeScript *script, unsigned clause, HieraProbeEventKind event);
/* Does the name in the description of a clause fit? Hosts ask once for each call site.
 *
 * @param operation  as traces name it: of a call "send", of a method "Class::method". Of COUNTER, COUNTER_CREATE and
 * COUNTER_LIST the name of the counter, of COUNTER_TYPE its type, of PROC that of the value, of USER that of the probe
 */
bool hiera_probe_clause_fits(const HieraProbeScript *script, unsigned clause, const char *operation);

/* What a counter's name says: COUNTER_NAME all of it, COUNTER_TYPE what stands before `(`, COUNTER_PARAMETERS what
 * stands in it. Of any other variable MISSING. */
HieraValue hiera_probe_part_of_counter(HieraProbeVariableId variable, const char *name);

/* Can an MPI function wait for another rank, so that the regions around it are suspended meanwhile? Those that return
 * at once cannot.
 *
 * @param operation  as traces name it */
bool hiera_probe_call_waits(const char *operation);

/* Can a host run the script?
 *
 * @param who     for the message: "a trace"
 * @param kinds   of what it has events: bits 1 << HieraProbeKind; and HIERA_PROBE_HAS_GLOBALS (`globals` of
 * HieraProbeHost), HIERA_PROBE_HAS_PUBLISHED (`publish`)
 * @param report  becomes what it has not
 * @return false if it cannot run the script */
enum { HIERA_PROBE_HAS_GLOBALS = 1 << HIERA_N_PROBE_KINDS, HIERA_PROBE_HAS_PUBLISHED = 2 << HIERA_N_PROBE_KINDS };
bool hiera_probe_script_suits(const HieraProbeScript *script, const char *who, unsigned kinds,
                              char report[HIERA_PROBE_REPORT]);

/* Are there clauses about ranks none of which a job of this size has? @param report  becomes which */
bool hiera_probe_script_lacks_ranks(const HieraProbeScript *script, int64_t size, char report[HIERA_PROBE_REPORT]);

/* The program says which variables its probe of a name has; before that no clause takes it. Other clauses may wait for
 * it, because they use what it sets. It compiles expressions, so it calls malloc(); other threads may tell events
 * meanwhile. To say it again is no error, if it is the same.
 *
 * @param names   of n variables, without signs; types: INTEGER, NUMBER, DURATION, TEXT or TRUTH
 * @param report  becomes what is wrong: with clauses, which do nothing from now on, or with variables that are others
 * than at first;
 *                "" if there is nothing to say
 * @return whether events with these variables can be told, and a clause takes them, now or when it knows other probes
 */
bool hiera_probe_script_declare_user(HieraProbeScript *script, const char *name, unsigned n, const char *const *names,
                                     const HieraValueType *types, char report[HIERA_PROBE_REPORT]);

/* What global_print() gathers of all ranks. */
typedef struct HieraProbeTotals HieraProbeTotals;

/* What became of something that all ranks share. */
typedef enum HieraProbeAnswer {
    HIERA_PROBE_DONE,
    HIERA_PROBE_NEVER_SET,
    HIERA_PROBE_TIMED_OUT, /* nobody answered, or gave the lock, in time */
    HIERA_PROBE_GONE,      /* nor will anybody: the connection to who has it for all ranks has ended */
    HIERA_PROBE_NO_ROOM,
} HieraProbeAnswer;

/* Variables `#name` of all ranks, and locks between them. A key is some bytes, the same for the same keys on all ranks;
 * of a variable without keys none. Every wait has to end. All threads that tell events call these functions. */
typedef struct HieraProbeGlobals {
    /* Read the value of a name (its number in the script). A text is copied to `room`. */
    HieraProbeAnswer (*get)(void *user, unsigned name, const void *key, size_t key_bytes, HieraValue *value, char *room,
                            size_t room_bytes);
    /* Make the value what hiera_probe_apply() makes of it and of `by`, as one step. `type`: that of the name. */
    HieraProbeAnswer (*update)(void *user, unsigned name, const void *key, size_t key_bytes, HieraValueType type,
                               char operator_, HieraValue by);
    /* Take a lock that this thread does not hold, and give it back. Locks are taken in an order that is the same
     * everywhere. */
    HieraProbeAnswer (*lock)(void *user, const void *key, size_t key_bytes);
    void (*unlock)(void *user, const void *key, size_t key_bytes);
    /* A clause that changes this name goes off: from now on its values are incomplete. */
    void (*spoil)(void *user, unsigned name);
} HieraProbeGlobals;
enum { HIERA_PROBE_KEY_BYTES = 512 }; /* of a key, at most */

/* The new value of a variable of a type: `by`, or what an operator makes of the old value and of it. An old value that
 * is missing counts as 0, or an empty text.
 *
 * @param room  takes a text that is joined
 * @return MISSING: the variable stays as it is: a division by zero, or no room */
HieraValue hiera_probe_apply(HieraValueType type, char operator_, HieraValue old, HieraValue by, char *room,
                             size_t room_bytes);
/* Write a key as in a script: `1, "a"`; of `room` bytes with the NUL, cut if it is longer. Nothing is written for no
 * key. */
void hiera_probe_key_write(const void *key, size_t key_bytes, char *to, size_t room);
/* The variables and aggregations of a script, by number, with their signs: `#name`. */
unsigned hiera_probe_script_count_names(const HieraProbeScript *script);
const char *hiera_probe_script_name(const HieraProbeScript *script, unsigned name);

/* Who has the events of a rank, and takes what is printed. */
typedef struct HieraProbeHost {
    int64_t rank, size;
    const char *name; /* of the computer; must outlive the state */
    /* Take a part of what the script prints; it ends with a newline. If events come in several threads, it is called by
     * them all. It must tell no events itself. */
    void (*write)(void *user, const char *text, size_t length);
    /* Take a message about a clause that cannot go on: several lines, without a newline at the end. */
    void (*complain)(void *user, const char *message);
    void *user;
    size_t memory; /* bytes that keys and texts of the rank may take; what does not fit is counted */
    /* Memory of all that states and totals allocate; both NULL: the C library's. `grow` is called with NULL and 0 and
     * returns zeroed bytes, or NULL; by all threads that tell events. */
    void *(*grow)(void *memory, size_t old_bytes, size_t bytes);
    void (*release)(void *memory, size_t bytes);
    /* Inside the program: neither its floating-point environment nor that of the script affects the other one. */
    bool guards_floats;
    const HieraProbeGlobals *globals; /* NULL: it has none */
    int64_t wait_ns;                  /* how long a lock of the rank is waited for; 0: a second */
    /* For global_print() before the end: keep what this rank has, in place of what it had before, for the others; and
     * give what the others have kept to hiera_probe_totals_load(). They return false if something is left out. NULL:
     * not here. */
    bool (*publish)(void *user, const char *bytes, size_t length);
    bool (*gather)(void *user, HieraProbeTotals *totals);
} HieraProbeHost;

/* The variables and aggregations of a rank, as one of its threads uses them.
 *
 * Each thread that tells events has a state of its own, so that no thread waits for another one: only variables `:name`
 * are shared, each read and change of them whole. What is printed and gathered is that of all threads; those that go
 * on meanwhile may be some events ahead. */
typedef struct HieraProbeState HieraProbeState;

/* Begin with a rank, and its first thread. The script has to outlive the state.
 *
 * @return  NULL if memory is short. Free with hiera_probe_state_free(). */
HieraProbeState *hiera_probe_state_new(const HieraProbeScript *script, const HieraProbeHost *host);
/* The state of one further thread of a rank; any thread may ask. NULL if memory is short. */
HieraProbeState *hiera_probe_state_new_thread(HieraProbeState *rank);
/* A thread ends: its state is given to the rank, which keeps what it has aggregated. The first one of a rank stays. */
void hiera_probe_state_absorb(HieraProbeState *rank, HieraProbeState *thread);
/* Free the states of all threads of a rank, none of which uses its own any more. `state` may be NULL. */
void hiera_probe_state_free(HieraProbeState *state);

/* Run the clauses BEGIN, or END. The time is since the common start of the job. */
void hiera_probe_run_begin(HieraProbeState *state, int64_t time_ns);
void hiera_probe_run_end(HieraProbeState *state, int64_t time_ns);
/* Let a clause that takes an event, and whose name fits, look at it. */
void hiera_probe_fire(HieraProbeState *state, unsigned clause, const HieraProbeEvent *event);

/* Publish what the rank has now, in place of what it had before, for global_print() of others before the end. Any
 * thread may ask.
 *
 * @return false if something is left out */
bool hiera_probe_state_publish(const HieraProbeState *state);

/* Keys and texts of a rank that found no room, and clauses that cannot go on. */
uint64_t hiera_probe_state_count_lost(const HieraProbeState *state);
unsigned hiera_probe_state_count_stopped(const HieraProbeState *state);

/* Write all aggregations of a rank, and which global_print() it has reached, as lines of text that another process can
 * read (probes/save.c describes them), for example to gather them on rank 0.
 *
 * @param take  gets parts of them, in order
 * @return false if there is not enough memory for all */
bool hiera_probe_state_save(const HieraProbeState *state, void (*take)(void *user, const char *bytes, size_t length),
                            void *user);

/* @return  NULL if memory is short. Free with hiera_probe_totals_free(). */
HieraProbeTotals *hiera_probe_totals_new(const HieraProbeScript *script, const HieraProbeHost *host);
void hiera_probe_totals_free(HieraProbeTotals *totals);
/* Add the aggregations of a rank whose END has run. @return false if there is not enough memory for all */
bool hiera_probe_totals_add(HieraProbeTotals *totals, const HieraProbeState *state);
/* Add what hiera_probe_state_save() wrote, of any number of ranks, one behind the other.
 *
 * @return false if these are no such bytes, or of another script: then nothing is added; or if memory is short */
bool hiera_probe_totals_load(HieraProbeTotals *totals, const char *bytes, size_t length);
/* Write what the global_print() of all END clauses show, in the order of the script. */
void hiera_probe_totals_print(const HieraProbeTotals *totals, const HieraProbeHost *host);

/* All aggregations that ranks have saved, without their script: as traces keep them. */
typedef struct HieraProbeSaved HieraProbeSaved;

/* @param host  for memory. @return NULL if it is short. Free with hiera_probe_saved_free(). */
HieraProbeSaved *hiera_probe_saved_new(const HieraProbeHost *host);
void hiera_probe_saved_free(HieraProbeSaved *saved);
/* Add what hiera_probe_state_save() wrote, of any number of ranks of one job.
 *
 * @return false if these are no such bytes, or do not fit those from before; or if memory is short */
bool hiera_probe_saved_load(HieraProbeSaved *saved, const char *bytes, size_t length);
/* Write all of them, as global_print() does. */
void hiera_probe_saved_print(const HieraProbeSaved *saved, const HieraProbeHost *host);

/* A result, or a bin of a distribution that has values. */
typedef struct HieraProbeSavedRow {
    const char *name, *function; /* "@big", "sum" */
    const HieraValue *keys;
    unsigned n_keys;
    bool is_bin;
    HieraValue from;  /* of a bin: values from this one on; MISSING: all that are less than the first bound */
    HieraValue value; /* the result; of a bin how many */
} HieraProbeSavedRow;
/* Tell all rows, name after name, sorted by their keys. @return false if memory is short */
bool hiera_probe_saved_visit(const HieraProbeSaved *saved, void (*visit)(void *user, const HieraProbeSavedRow *row),
                             void *user);

#endif
