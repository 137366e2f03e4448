/* Probe scripts: questions about events of a program, as clauses `description /predicate/ { actions }`.
 *
 * docs/probes.md describes the language. A script is parsed once, and all its errors are found then. A state contains
 * the variables and aggregations of one rank. A host reports the events to it, in the order in which they happen, and
 * writes what the script prints. Neither script nor state knows where the events come from. */
#pragma once

#include "expressions/expression.h"

/* Kinds of probes: X(identifier, word in descriptions, whether they have a name, whether they have a period). The
 * events of each kind are in HIERA_PROBE_EVENTS. For USER the word is the name of a probe in the program. */
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

/* Kinds of events: X(identifier, kind of probe, word in descriptions). */
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

/* Variables of events: X(identifier, name without its sign, type, kinds of probes). A host returns the value of a
 * variable when asked; it may be missing. docs/probes.md explains them. */
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

/* An event. `get` returns the value of a variable; a text must stay valid until hiera_probe_fire() returns. */
typedef struct HieraProbeEvent {
    HieraProbeEventKind kind;
    HieraValue (*get)(HieraProbeVariableId variable, const void *data);
    const void *data;
    HieraValue (*get_user)(unsigned variable, const void *data); /* USER: value of a declared variable */
    const char *probe;                                           /* USER: name of the probe */
} HieraProbeEvent;

typedef struct HieraProbeScript HieraProbeScript;

/* Size in bytes of a buffer for any message about a script. */
enum { HIERA_PROBE_REPORT = HIERA_EXPRESSION_REPORT };

/* Parse a script.
 *
 * @param source  name of the file, or the option that gave the script; copied
 * @param lines   messages have line numbers; else only columns
 * @param text    `length` bytes; copied
 * @param report  receives the error, with its place and a caret
 * @return  NULL if the script is wrong or memory is short. Free with hiera_probe_script_free(). */
HieraProbeScript *hiera_probe_script_parse(const char *source, bool lines, const char *text, size_t length,
                                           char report[HIERA_PROBE_REPORT]);
/* Free a script; NULL is allowed. */
void hiera_probe_script_free(HieraProbeScript *script);

/* Return the number of clauses. Functions count clauses from 0, in the order of the script. */
unsigned hiera_probe_script_count(const HieraProbeScript *script);
/* Whether an expression of the script uses this variable of events. */
bool hiera_probe_script_asks(const HieraProbeScript *script, HieraProbeVariableId variable);
/* The kind of a clause's probe. */
HieraProbeKind hiera_probe_clause_kind(const HieraProbeScript *script, unsigned clause);
/* The name in the description of a clause, or the name of its probe in the program; NULL: none. */
const char *hiera_probe_clause_name(const HieraProbeScript *script, unsigned clause);
/* The period of a timer or of readings in ns; 0: the host chooses it. */
int64_t hiera_probe_clause_period_ns(const HieraProbeScript *script, unsigned clause);
/* Whether a clause takes events of this kind on this rank. */
bool hiera_probe_clause_takes(const HieraProbeScript *script, unsigned clause, HieraProbeEventKind event, int64_t rank);
/* Whether a clause takes events of this kind on some rank. */
bool hiera_probe_clause_has_event(const HieraProbeScript *script, unsigned clause, HieraProbeEventKind event);
/* Whether the name in the description of a clause matches. Hosts call this once for each call site.
 *
 * @param operation  name as in traces: of a call "send", of a method "Class::method". For COUNTER, COUNTER_CREATE and
 * COUNTER_LIST the name of the counter, for COUNTER_TYPE its type, for PROC the name of the value, for USER that of the
 * probe */
bool hiera_probe_clause_fits(const HieraProbeScript *script, unsigned clause, const char *operation);

/* Extract the value of a variable from a counter's name: COUNTER_NAME is all of it, COUNTER_TYPE the part before `(`,
 * COUNTER_PARAMETERS the part in parentheses. MISSING for any other variable. */
HieraValue hiera_probe_part_of_counter(HieraProbeVariableId variable, const char *name);

/* Whether an MPI function may wait for another rank, so that the regions around it are suspended. Functions that return
 * at once never wait.
 *
 * @param operation  name as in traces */
bool hiera_probe_call_waits(const char *operation);

/* Whether a host can run the script.
 *
 * @param who     name of the host in messages: "a trace"
 * @param kinds   kinds of events that it has: bits 1 << HieraProbeKind; and HIERA_PROBE_HAS_GLOBALS (`globals` of
 * HieraProbeHost), HIERA_PROBE_HAS_PUBLISHED (`publish`)
 * @param report  receives what is missing
 * @return  false if it cannot run the script */
enum { HIERA_PROBE_HAS_GLOBALS = 1 << HIERA_N_PROBE_KINDS, HIERA_PROBE_HAS_PUBLISHED = 2 << HIERA_N_PROBE_KINDS };
bool hiera_probe_script_suits(const HieraProbeScript *script, const char *who, unsigned kinds,
                              char report[HIERA_PROBE_REPORT]);

/* Whether some clause is for none of the ranks of a job of `size` ranks. @param report  receives which clauses */
bool hiera_probe_script_lacks_ranks(const HieraProbeScript *script, int64_t size, char report[HIERA_PROBE_REPORT]);

/* Declare the variables of a probe of the program; until then no clause takes its events. Other clauses may also wait
 * for it, because they use variables that it sets. This compiles expressions, so it calls malloc(); other threads may
 * report events meanwhile. An identical second declaration is no error.
 *
 * @param names   names of n variables, without signs; types: INTEGER, NUMBER, DURATION, TEXT or TRUTH
 * @param report  receives errors: in clauses, which are switched off, or that the variables differ from the first
 * declaration; "" if there are none
 * @return  whether events with these variables can be reported, and some clause takes them, now or after further
 * declarations */
bool hiera_probe_script_declare_user(HieraProbeScript *script, const char *name, unsigned n, const char *const *names,
                                     const HieraValueType *types, char report[HIERA_PROBE_REPORT]);

/* The aggregations of all ranks for global_print(). */
typedef struct HieraProbeTotals HieraProbeTotals;

/* The result of an access to data that all ranks share. */
typedef enum HieraProbeAnswer {
    HIERA_PROBE_DONE,
    HIERA_PROBE_NEVER_SET,
    HIERA_PROBE_TIMED_OUT, /* no answer, or the lock was not released, in time */
    HIERA_PROBE_GONE,      /* no answer will ever come: the connection to the rank that stores the data has ended */
    HIERA_PROBE_NO_ROOM,
} HieraProbeAnswer;

/* Access to variables `#name` of all ranks, and to locks between ranks. A key is a sequence of bytes, the same on all
 * ranks; it is empty for a variable without keys. Every wait must end. The functions are called by all threads that
 * report events. */
typedef struct HieraProbeGlobals {
    /* Read the value of a variable; `name` is its number in the script. A text is copied to `room`. */
    HieraProbeAnswer (*get)(void *user, unsigned name, const void *key, size_t key_bytes, HieraValue *value, char *room,
                            size_t room_bytes);
    /* Set a variable to hiera_probe_apply() of the old value and `by`, atomically. `type`: type of the variable. */
    HieraProbeAnswer (*update)(void *user, unsigned name, const void *key, size_t key_bytes, HieraValueType type,
                               char operator_, HieraValue by);
    /* Take a lock that this thread does not hold; release it. Locks are taken in an order that is the same on all
     * ranks. */
    HieraProbeAnswer (*lock)(void *user, const void *key, size_t key_bytes);
    void (*unlock)(void *user, const void *key, size_t key_bytes);
    /* Mark the values of a variable as incomplete from now on: a clause that changes them has been stopped. */
    void (*spoil)(void *user, unsigned name);
} HieraProbeGlobals;
enum { HIERA_PROBE_KEY_BYTES = 512 }; /* longest key, in bytes */

/* The new value of a variable of this type: `by`, or the result of an operator on the old value and `by`. A missing old
 * value counts as 0, or as an empty text.
 *
 * @param room  receives a joined text
 * @return  MISSING: the variable is not to be changed: a division by zero, or no room */
HieraValue hiera_probe_apply(HieraValueType type, char operator_, HieraValue old, HieraValue by, char *room,
                             size_t room_bytes);
/* Write a key as in a script: `1, "a"`; at most `room` bytes with the NUL, cut if it is longer. An empty key gives an
 * empty text. */
void hiera_probe_key_write(const void *key, size_t key_bytes, char *to, size_t room);
/* Return the number of variables and aggregations of a script; return the name of one, with sign: `#name`. */
unsigned hiera_probe_script_count_names(const HieraProbeScript *script);
const char *hiera_probe_script_name(const HieraProbeScript *script, unsigned name);

/* A host: source of the events of a rank, and receiver of the script's output on this rank. */
typedef struct HieraProbeHost {
    int64_t rank, size;
    const char *name; /* name of the computer; must outlive the state */
    /* Write a part of the script's output, which ends with a newline. It is called by all threads that report events,
     * and must not report events itself. */
    void (*write)(void *user, const char *text, size_t length);
    /* Write a message about a clause that has been stopped: several lines, without a newline at the end. */
    void (*complain)(void *user, const char *message);
    void *user;
    size_t memory; /* most bytes of the keys and texts of the rank; what does not fit is counted as lost */
    /* Memory functions of states and totals; both NULL: those of the C library. `grow` is called with NULL and 0 and
     * returns zeroed bytes, or NULL; by all threads that report events. */
    void *(*grow)(void *memory, size_t old_bytes, size_t bytes);
    void (*release)(void *memory, size_t bytes);
    /* whether evaluation inside the program protects the floating-point environments of program and script */
    bool guards_floats;
    const HieraProbeGlobals *globals; /* NULL: the host has no variables of all ranks */
    int64_t wait_ns;                  /* longest wait for a lock of the rank, in ns; 0: a second */
    /* For global_print() before the end: store the data of this rank for the others, in place of its earlier data; pass
     * the data of the others to hiera_probe_totals_load(). They return false if something is left out. NULL: not
     * supported. */
    bool (*publish)(void *user, const char *bytes, size_t length);
    bool (*gather)(void *user, HieraProbeTotals *totals);
} HieraProbeHost;

/* The variables and aggregations of a rank, as seen by one of its threads.
 *
 * Each thread that reports events has its own state, so that threads do not wait for each other: only variables `:name`
 * are shared, and each access to them is one step. Output and totals combine all threads; running threads may be some
 * events ahead. */
typedef struct HieraProbeState HieraProbeState;

/* Make the state of a rank, for its first thread. The script must outlive it.
 *
 * @return  NULL if memory is short. Free with hiera_probe_state_free(). */
HieraProbeState *hiera_probe_state_new(const HieraProbeScript *script, const HieraProbeHost *host);
/* Make the state of another thread of a rank; any thread may call this. NULL if memory is short. */
HieraProbeState *hiera_probe_state_new_thread(HieraProbeState *rank);
/* End a thread: the rank keeps the aggregations of its state, which a new thread may use. The state of the first
 * thread stays in use. */
void hiera_probe_state_absorb(HieraProbeState *rank, HieraProbeState *thread);
/* Free the states of all threads of a rank; no thread may use its state any more. `state` may be NULL. */
void hiera_probe_state_free(HieraProbeState *state);

/* Run the BEGIN clauses; run the END clauses. @param time_ns  time since the common start of the job */
void hiera_probe_run_begin(HieraProbeState *state, int64_t time_ns);
void hiera_probe_run_end(HieraProbeState *state, int64_t time_ns);
/* Run a clause for an event, if the predicate holds. The clause must take this kind of event, and its name must match.
 */
void hiera_probe_fire(HieraProbeState *state, unsigned clause, const HieraProbeEvent *event);

/* Publish the data of the rank, in place of its earlier data, for global_print() of other ranks before the end. Any
 * thread may call this.
 *
 * @return  false if something is left out */
bool hiera_probe_state_publish(const HieraProbeState *state);

/* Number of keys and texts of the rank for which memory was short; number of clauses that have been stopped. */
uint64_t hiera_probe_state_count_lost(const HieraProbeState *state);
unsigned hiera_probe_state_count_stopped(const HieraProbeState *state);

/* Write all aggregations of a rank, and which global_print() it has reached, as lines of text for another process
 * (firing/save.c describes them), for example to gather them on rank 0.
 *
 * @param take  receives parts of the text, in order
 * @return  false if there is not enough memory for all */
bool hiera_probe_state_save(const HieraProbeState *state, void (*take)(void *user, const char *bytes, size_t length),
                            void *user);

/* Make empty totals of all ranks. @return  NULL if memory is short. Free with hiera_probe_totals_free(). */
HieraProbeTotals *hiera_probe_totals_new(const HieraProbeScript *script, const HieraProbeHost *host);
void hiera_probe_totals_free(HieraProbeTotals *totals);
/* Add the aggregations of a rank whose END has run. @return false if there is not enough memory for all */
bool hiera_probe_totals_add(HieraProbeTotals *totals, const HieraProbeState *state);
/* Add texts of hiera_probe_state_save(), of any number of ranks, one behind the other.
 *
 * @return  false if the bytes are wrong, or from another script: then nothing is added; or if memory is short */
bool hiera_probe_totals_load(HieraProbeTotals *totals, const char *bytes, size_t length);
/* Write the output of the global_print() of all END clauses, in the order of the script. */
void hiera_probe_totals_print(const HieraProbeTotals *totals, const HieraProbeHost *host);

/* All aggregations that ranks have saved, as traces contain them; the script is not needed. */
typedef struct HieraProbeSaved HieraProbeSaved;

/* Make an empty set. @param host  for memory. @return  NULL if memory is short; freed by hiera_probe_saved_free() */
HieraProbeSaved *hiera_probe_saved_new(const HieraProbeHost *host);
void hiera_probe_saved_free(HieraProbeSaved *saved);
/* Add texts of hiera_probe_state_save(), of any number of ranks of one job.
 *
 * @return  false if the bytes are wrong, or do not fit the earlier ones; or if memory is short */
bool hiera_probe_saved_load(HieraProbeSaved *saved, const char *bytes, size_t length);

/* A row of a saved aggregation: a result, or a non-empty bin of a distribution. */
typedef struct HieraProbeSavedRow {
    const char *name, *function; /* the aggregation, like "@big", and its function, like "sum" */
    const HieraValue *keys;
    unsigned n_keys;
    bool is_bin;
    HieraValue from;  /* of a bin: begin of its values; MISSING: values below the first bound */
    HieraValue value; /* the result; of a bin, the number of its values */
} HieraProbeSavedRow;
/* Call `visit` for all rows, name by name, sorted by keys. @return  false if memory is short */
bool hiera_probe_saved_visit(const HieraProbeSaved *saved, void (*visit)(void *user, const HieraProbeSavedRow *row),
                             void *user);
