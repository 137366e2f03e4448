/* A process that walks through the execution graph: what it computes until its next MPI call, and that call. */
#ifndef HIERA_EXECUTION_PROCESS_H
#define HIERA_EXECUTION_PROCESS_H

#include "draws.h"
#include "execution/graph/execution_graph.h"
#include "execution/state/state.h"
#include "files.h"

/* A decision that the user makes: at a line of a source, or at an address. */
typedef struct {
    char *file; /* base name: of a source, or of an executable or library if there is an address */
    int line;
    guint64 address; /* in the file; 0: there is a line */
    gboolean taken;
    guint32 first_rank, last_rank;
} HieraDecisionRule;

typedef struct {
    HieraLoopDraw loops;
    HieraBranchDraw branches;
    gdouble cycle_ps;     /* 1 / clock */
    gdouble factor;       /* of all cycles: what --calibrate-by found */
    gint64 message_bytes; /* of messages whose size is not known */
    gboolean has_files;   /* calls of MPI-IO that move data take time: */
    gdouble file_call_ps, file_byte_ps;
    guint n_threads;       /* that share the work of regions of OpenMP; 0: 1 */
    gdouble access_ps;     /* mean of what each message waits until it may leave; exponential */
    char **arguments;      /* of the program, without its name; may be NULL */
    GHashTable *costs;     /* name of a function of a library → gdouble *: its cycles; may be NULL */
    GArray *rules;         /* HieraDecisionRule; may be NULL */
    const gdouble *visits; /* by loop: how often its header is reached in an execution, in the mean; below 0: not known.
                              May be NULL */
    gint8 *decided;        /* by vertex: -1 no rule, else its index; made by hiera_walk_prepare */
    guint32 n_processes;
    guint32 seed;
    gboolean apart;      /* each process draws by itself; else all draw the same at the same place and turn */
    guint64 most_walked; /* vertices from one MPI call to the next, then a process is given up; 0: 100 million */
    guint64 patience;    /* steps that a process executes before loops of few iterations are skipped; 0: 100 million */
} HieraWalkOptions;

/* Counters of a process: of each vertex how often it was executed; then of each loop how often it was entered; then of
 * each function how often it was called. */
#define hiera_counter_of_loop(execution, loop)   ((execution)->vertices->len + (loop))
#define hiera_counter_of_graph(execution, graph) ((execution)->vertices->len + (execution)->loops->len + (graph))
#define hiera_n_counters(execution)              hiera_counter_of_graph(execution, (execution)->graphs->len)

/* What is known of a loop once. */
typedef struct {
    guint n_skipped;                 /* how often iterations of it were skipped */
    gboolean ready, communicates;    /* it has MPI calls, or calls that nobody knows: each iteration is walked */
    GArray *counters;                /* guint: those that an iteration may change */
    GArray *stores;                  /* guint: steps that may store in it */
    GArray *store_lanes;             /* guint8: of each, bytes of a lane of what it stores; 0: it stores numbers */
    GArray *store_counters;          /* guint: of each, which one of the counters says how often it is executed */
    guint8 lanes[HIERA_N_REGISTERS]; /* bytes of a lane, if a register holds small integers beside each other; else 0 */
    GArray *branches;                /* guint: vertices that decide in the loop itself, not in one inside it */
} HieraLoopFacts;

/* The last time that a branch was decided. */
typedef struct {
    HieraFlags flags;
    gboolean known, taken;
    guint8 n_known;    /* how often in a row it was known, up to 2 */
    gboolean changes;  /* its operands were others the time before */
    guint64 iteration; /* of the innermost loop around it; 0: never, or it is in none */
    guint64 turn;      /* n_walked of the process */
} HieraDecided;

/* A loop that a process is in. */
typedef struct {
    guint loop;
    guint64 iterations; /* how often its header was reached */
    guint64 begin;      /* n_walked of the process */
    guint64 limit;      /* drawn, if `has_limit`: it is left then */
    gboolean has_limit;
    guint n_moves;            /* of the process when it was entered */
    gboolean skipped;         /* iterations were: moves in it are not kept */
    struct HieraAhead *ahead; /* see ahead.h; NULL until it is looked at */
} HieraLoopRun;

/* Where getopt goes on. */
typedef struct {
    gint64 at;       /* word */
    gint64 n_behind; /* words that are no options, which the last option was moved before */
    guint64 letter;  /* address, inside of a word; 0: it begins a word */
} HieraGetopt;

/* What a region of OpenMP shares out among its threads: a loop, or sections. */
typedef struct {
    gboolean has_loop, known;
    guint64 begin, end;
    guint32 n_sections, section;
} HieraShared;

/* A function was entered or left. */
typedef struct {
    guint graph;    /* that is entered; HIERA_NO_VERTEX: the innermost one is left */
    guint from;     /* vertex that calls it; HIERA_NO_VERTEX of main */
    gdouble cycles; /* of the process then */
} HieraMove;

typedef struct {
    guint return_to;    /* vertex; HIERA_NO_VERTEX of main */
    guint first_run;    /* loops of this function begin there */
    gboolean kept;      /* its move is */
    gboolean is_region; /* of OpenMP */
} HieraFrameOfCall;

enum { HIERA_LAST_DRAWN = 3 };

typedef struct HieraProcess HieraProcess;
struct HieraProcess {
    const HieraExecution *execution;
    const HieraWalkOptions *options;
    HieraLoopFacts *facts; /* by loop; of all processes */
    guint32 rank;
    HieraProcessState state;
    guint at; /* vertex */
    gboolean ended;
    const char *ended_by;  /* the function that it called last, which does not return: exit, MPI_Abort; NULL: main has
                              returned, or it is not known */
    HieraKnown end_status; /* the first argument of it */
    gdouble cycles;        /* since its last operation */
    guint64 *counters;
    gdouble *library_cycles; /* by vertex: CALL of a function of a library, COMMUNICATION */
    HieraDecided *decided;   /* by vertex */
    gfloat *probability;     /* by vertex: of a branch that is not known; below 0: not drawn yet */
    HieraFiles *files;       /* that it has open */
    HieraKnown word;         /* where strtok goes on */
    HieraGetopt words;       /* where getopt does */
    HieraShared shared;
    guint n_regions;             /* that it is in */
    guint64 letters[3];          /* the tables of <ctype.h> (letters.c); 0: not made yet */
    GArray *frames;              /* HieraFrameOfCall */
    GArray *runs;                /* HieraLoopRun */
    GArray *moves;               /* HieraMove since the last operation; see moves.c. NULL: nobody wants to know */
    guint n_skipped_runs;        /* loops that it is in of which iterations were skipped */
    guint32 *n_drawn_at;         /* by vertex: how often something was drawn there */
    struct HieraLoopPast **past; /* by loop: see ahead.h; NULL until it is kept */
    guint64 n_walked, n_steps;   /* vertices, one by one; and steps of these */
    guint64 n_drawn, n_ahead;    /* decisions that were drawn; iterations that were not walked */
    guint last_drawn[HIERA_LAST_DRAWN]; /* vertices of the last decisions that were drawn, each unlike the one before
                                           it; of the i-th one, from 0, at i % HIERA_LAST_DRAWN */
    guint64 n_last_drawn;
    guint64 n_capped;     /* loops that came to their maximum */
    gboolean *was_capped; /* by loop */
    gboolean *was_drawn;  /* by vertex: its branch was drawn at least once */
    /* It came to a function that has no graph yet: the run is to begin again with it. It goes on a little, and comes to
     * others. */
    gboolean is_wanting;
    guint64 n_without; /* vertices since then */
    const char *stuck; /* NULL, or why it was given up */
};

HieraProcess *hiera_process_new(const HieraExecution *execution, const HieraWalkOptions *options, HieraLoopFacts *facts,
                                guint32 rank);
void hiera_process_free(HieraProcess *process);

/* Walk to the next MPI call. @return its vertex; HIERA_NO_VERTEX: the process has ended, or was given up (`stuck`). The
 * process stands before the call: hiera_process_pass goes on behind it */
guint hiera_process_walk(HieraProcess *process);
void hiera_process_pass(HieraProcess *process);

/* The innermost loop of the function that the process is in, NULL if it is in none. */
HieraLoopRun *hiera_process_innermost(HieraProcess *process);

/* Count what takes time. */
void hiera_process_spend(HieraProcess *process, gdouble cycles);

/* --- decisions.c --- */

/* Find out what the options have to do with an execution. */
void hiera_walk_prepare(const HieraExecution *execution, HieraWalkOptions *options);

/* Where a process goes on at a branch, or at a jump by a table. @return HIERA_NO_VERTEX: out of the function */
guint hiera_process_decide(HieraProcess *process, const HieraVertex *vertex);
guint hiera_process_choose(HieraProcess *process, const HieraVertex *vertex);

/* --- moves.c --- */

/* Keep moves from now on, beginning with main. */
void hiera_process_keep_moves(HieraProcess *process);
/* A function is entered, or the innermost one is left: its frame is there. */
void hiera_process_note_entry(HieraProcess *process, guint graph);
void hiera_process_note_exit(HieraProcess *process);
/* Iterations of a loop are skipped. */
void hiera_process_forget_moves(HieraProcess *process, HieraLoopRun *run);

/* --- loop_facts.c --- */

HieraLoopFacts *hiera_loop_facts_new(const HieraExecution *execution);
void hiera_loop_facts_free(const HieraExecution *execution, HieraLoopFacts *facts);
void hiera_loop_facts_find(const HieraExecution *execution, guint loop, HieraLoopFacts *facts);

/* --- ahead.c, changes.c --- */

/* The header of the innermost loop was reached again: skip iterations that are like those before. */
void hiera_process_look_ahead(HieraProcess *process, HieraLoopRun *run);
void hiera_ahead_free(struct HieraAhead *ahead);
void hiera_loop_past_free(struct HieraLoopPast *past);

/* --- library.c --- */

/* A function of a library was called. @return its cycles; negative: it does not come back */
gdouble hiera_library_call(HieraProcess *process, const char *name);
/* After any call: what it may have changed. */
void hiera_forget_call(HieraProcessState *state);
/* The i-th argument of a call, from 0: an integer or a pointer. */
HieraKnown hiera_process_argument(HieraProcess *process, guint i);

/* --- regions.c --- */

/* Whether a function of a library begins a region of OpenMP, whose function then finds what it needs in registers.
 * @param function  becomes the pointer to its function */
gboolean hiera_region_begins(HieraProcess *process, const char *name, HieraKnown *function);

#endif
