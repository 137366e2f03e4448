/* A process that walks through the execution graph: its computation until the next MPI call, and that call. */
#pragma once

#include "draws.h"
#include "execution/graph/execution_graph.h"
#include "execution/state/state.h"
#include "files.h"

/* A decision that the user makes: at a source line, or at an address. */
typedef struct {
    char *file; /* base name: of a source file; with an address, of an executable or library */
    int line;
    guint64 address; /* address in the file; 0: the rule has a line */
    gboolean taken;
    guint32 first_rank, last_rank;
} HieraDecisionRule;

typedef struct {
    HieraLoopDraw loops;
    HieraBranchDraw branches;
    gdouble cycle_ps;     /* duration of a cycle: 1 / clock */
    gdouble factor;       /* factor on all cycles, as found by --calibrate-by */
    gint64 message_bytes; /* size of messages of unknown size */
    gboolean has_files;   /* MPI-IO calls that move data take time: */
    gdouble file_call_ps, file_byte_ps;
    guint n_threads;       /* number of threads that share the work of OpenMP regions; 0 means 1 */
    gdouble access_ps;     /* mean delay before a message may use the network; exponentially distributed */
    char **arguments;      /* arguments of the program, without its name; may be NULL */
    GHashTable *costs;     /* name of a library function → gdouble *: its cycles; may be NULL */
    GArray *rules;         /* HieraDecisionRule; may be NULL */
    const gdouble *visits; /* by loop: mean number of times that its header is reached in an execution; below 0: not
                              known. May be NULL */
    gint8 *decided;        /* by vertex: index of its rule, -1: none; made by hiera_walk_prepare */
    guint32 n_processes;
    guint32 seed;
    gboolean apart;      /* each process draws on its own; otherwise all draw the same at the same place and turn */
    guint64 most_walked; /* vertices from one MPI call to the next after which a process is given up; 0: 100 million */
    guint64 patience; /* steps of a process after which small numbers of iterations are skipped, too; 0: 100 million */
} HieraWalkOptions;

/* Counters of a process: executions of each vertex; then entries of each loop; then calls of each function. */
#define hiera_counter_of_loop(execution, loop)   ((execution)->vertices->len + (loop))
#define hiera_counter_of_graph(execution, graph) ((execution)->vertices->len + (execution)->loops->len + (graph))
#define hiera_n_counters(execution)              hiera_counter_of_graph(execution, (execution)->graphs->len)

/* Facts about a loop that are found once. */
typedef struct {
    guint n_skipped;                 /* how often its iterations were skipped */
    gboolean ready, communicates;    /* the loop has MPI calls, or unknown calls: each iteration is walked */
    GArray *counters;                /* guint: counters that an iteration may change */
    GArray *stores;                  /* guint: steps that may store in it */
    GArray *store_lanes;             /* guint8: for each store, bytes of a lane of the stored value; 0: a number */
    GArray *store_counters;          /* guint: for each store, index of the counter of its executions */
    guint8 lanes[HIERA_N_REGISTERS]; /* bytes of a lane, if the register holds several small integers; otherwise 0 */
    GArray *branches;                /* guint: vertices with decisions in the loop itself, not in an inner one */
} HieraLoopFacts;

/* The last decision of a branch. */
typedef struct {
    HieraFlags flags;
    gboolean known, taken;
    guint8 n_known;    /* number of consecutive times that it was known, up to 2 */
    gboolean changes;  /* its operands differ from those of the time before */
    guint64 iteration; /* iteration of the innermost loop around it; 0: never decided, or in no loop */
    guint64 turn;      /* n_walked of the process at that time */
} HieraDecided;

/* A loop that a process is in. */
typedef struct {
    guint loop;
    guint64 iterations; /* how often the header was reached */
    guint64 begin;      /* n_walked of the process at the begin */
    guint64 limit;      /* number of iterations after which the loop is left, drawn if `has_limit` */
    gboolean has_limit;
    guint n_moves;            /* number of moves of the process when the loop was entered */
    gboolean skipped;         /* iterations were skipped, so moves in the loop are not recorded */
    struct HieraAhead *ahead; /* see ahead.h; NULL until the loop is examined */
} HieraLoopRun;

/* Position of getopt. */
typedef struct {
    gint64 at;       /* index of the word */
    gint64 n_behind; /* number of non-option words before which the last option was moved */
    guint64 letter;  /* address of the next letter in a word; 0: at the begin of a word */
} HieraGetopt;

/* Work that an OpenMP region distributes among its threads: a loop, or sections. */
typedef struct {
    gboolean has_loop, known;
    guint64 begin, end;
    guint32 n_sections, section;
} HieraShared;

/* Entry or exit of a function. */
typedef struct {
    guint graph;    /* the function entered; HIERA_NO_VERTEX: exit of the innermost one */
    guint from;     /* vertex that calls it; HIERA_NO_VERTEX for main */
    gdouble cycles; /* cycles of the process at that time */
} HieraMove;

typedef struct {
    guint return_to;    /* vertex; HIERA_NO_VERTEX for main */
    guint first_run;    /* index of the first loop of this function in `runs` */
    gboolean kept;      /* its entry was recorded */
    gboolean is_region; /* the function of an OpenMP region */
} HieraFrameOfCall;

enum { HIERA_LAST_DRAWN = 3 };

typedef struct HieraProcess HieraProcess;
struct HieraProcess {
    const HieraExecution *execution;
    const HieraWalkOptions *options;
    HieraLoopFacts *facts; /* by loop; shared by all processes */
    guint32 rank;
    HieraProcessState state;
    guint at; /* current vertex */
    gboolean ended;
    const char *ended_by;  /* name of the last called function, which does not return: exit, MPI_Abort; NULL: main has
                              returned, or it is not known */
    HieraKnown end_status; /* first argument of that function */
    gdouble cycles;        /* cycles since the last operation */
    guint64 *counters;
    gdouble *library_cycles; /* by vertex: cycles of its CALL of a library function, or COMMUNICATION */
    HieraDecided *decided;   /* by vertex */
    gfloat *probability;     /* by vertex: probability of an unknown branch; below 0: not drawn yet */
    HieraFiles *files;       /* open files */
    HieraKnown word;         /* position of strtok */
    HieraGetopt words;       /* position of getopt */
    HieraShared shared;
    guint n_regions;                    /* number of OpenMP regions around the current place */
    guint64 letters[3];                 /* addresses of the tables of <ctype.h> (letters.c); 0: not made yet */
    GArray *frames;                     /* HieraFrameOfCall */
    GArray *runs;                       /* HieraLoopRun */
    GArray *moves;                      /* HieraMove since the last operation; see moves.c. NULL: not recorded */
    guint n_skipped_runs;               /* number of current loops with skipped iterations */
    guint32 *n_drawn_at;                /* by vertex: number of draws */
    struct HieraLoopPast **past;        /* by loop: see ahead.h; NULL: not recorded yet */
    guint64 n_walked, n_steps;          /* number of vertices walked one by one; number of their steps */
    guint64 n_drawn, n_ahead;           /* number of drawn decisions; number of skipped iterations */
    guint last_drawn[HIERA_LAST_DRAWN]; /* vertices of the last drawn decisions, without consecutive repetitions: the
                                           i-th one, from 0, is at i % HIERA_LAST_DRAWN */
    guint64 n_last_drawn;
    guint64 n_capped;     /* number of loops that reached the maximum of iterations */
    gboolean *was_capped; /* by loop: it reached the maximum of iterations */
    gboolean *was_drawn;  /* by vertex: its branch was drawn at least once */
    /* The process has reached a function that has no graph yet: the run will be repeated with its graph. The walk
     * continues a little, to find more such functions. */
    gboolean is_wanting;
    guint64 n_without; /* number of vertices since then */
    const char *stuck; /* why the process was given up; NULL: it was not */
};

HieraProcess *hiera_process_new(const HieraExecution *execution, const HieraWalkOptions *options, HieraLoopFacts *facts,
                                guint32 rank);
void hiera_process_free(HieraProcess *process);

/* Walk to the next MPI call. @return its vertex; HIERA_NO_VERTEX: the process has ended, or was given up (`stuck`). The
 * process then stands before the call: hiera_process_pass continues behind it */
guint hiera_process_walk(HieraProcess *process);
void hiera_process_pass(HieraProcess *process);

/* Return the innermost loop that the process is in within the current function, NULL if there is none. */
HieraLoopRun *hiera_process_innermost(HieraProcess *process);

/* Add cycles to the process. */
void hiera_process_spend(HieraProcess *process, gdouble cycles);

/* --- decisions.c --- */

/* Find the user's decision rule for each branch of an execution. */
void hiera_walk_prepare(const HieraExecution *execution, HieraWalkOptions *options);

/* Return the vertex where a process continues at a branch, or at a jump through a table. @return HIERA_NO_VERTEX:
 * outside the function */
guint hiera_process_decide(HieraProcess *process, const HieraVertex *vertex);
guint hiera_process_choose(HieraProcess *process, const HieraVertex *vertex);

/* --- moves.c --- */

/* Record moves from now on, beginning with main. */
void hiera_process_keep_moves(HieraProcess *process);
/* Record that a function is entered, or that the innermost one is left. Its frame must exist. */
void hiera_process_note_entry(HieraProcess *process, guint graph);
void hiera_process_note_exit(HieraProcess *process);
/* Drop the moves recorded in a loop, since its iterations are skipped. */
void hiera_process_forget_moves(HieraProcess *process, HieraLoopRun *run);

/* --- loop_facts.c --- */

HieraLoopFacts *hiera_loop_facts_new(const HieraExecution *execution);
void hiera_loop_facts_free(const HieraExecution *execution, HieraLoopFacts *facts);
void hiera_loop_facts_find(const HieraExecution *execution, guint loop, HieraLoopFacts *facts);

/* --- ahead.c, changes.c --- */

/* Examine a visit of the header of the innermost loop: skip iterations that are like those before. */
void hiera_process_look_ahead(HieraProcess *process, HieraLoopRun *run);
void hiera_ahead_free(struct HieraAhead *ahead);
void hiera_loop_past_free(struct HieraLoopPast *past);

/* --- library.c --- */

/* Simulate a call of a library function. @return its cycles; negative: it does not return */
gdouble hiera_library_call(HieraProcess *process, const char *name);
/* After any call: make registers and flags unknown that it may have changed. */
void hiera_forget_call(HieraProcessState *state);
/* Return the i-th argument of a call, from 0: an integer or a pointer. */
HieraKnown hiera_process_argument(HieraProcess *process, guint i);

/* --- regions.c --- */

/* Whether a library function begins an OpenMP region; if so, the registers are set for the region's function.
 * @param function  receives the pointer to that function */
gboolean hiera_region_begins(HieraProcess *process, const char *name, HieraKnown *function);
