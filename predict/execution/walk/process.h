/* A process that walks through the execution graph of a program: it computes up to the next MPI call, and stops there.
 */
#pragma once

#include "draws.h"
#include "execution/graph/execution_graph.h"
#include "execution/state/state.h"
#include "files.h"

/* A --decide rule: which way a branch goes, at a source line or an address. */
typedef struct {
    char *file; /* name without folder: of the source file; if the rule has an address, of the executable or library */
    int line;
    guint64 address; /* address in the file; 0: the rule has a line instead */
    gboolean taken;
    guint32 first_rank, last_rank;
} HieraDecisionRule;

typedef struct {
    HieraLoopDraw loops;
    HieraBranchDraw branches;
    gdouble cycle_ps;     /* picoseconds of a CPU cycle */
    gdouble factor;       /* factor on the time of all cycles, as found by --calibrate-by */
    gint64 message_bytes; /* assumed size of messages whose size is not known */
    gboolean has_files;   /* whether MPI-IO calls take time: file_call_ps for each call, file_byte_ps for each byte */
    gdouble file_call_ps, file_byte_ps;
    guint n_threads;       /* number of threads that share the work of an OpenMP region; 0: 1 */
    gdouble access_ps;     /* mean of the random delay before a message may use the network (exponential); 0: none */
    char **arguments;      /* arguments of the program, without its name; NULL: none */
    GHashTable *costs;     /* name of a library function → gdouble *: cycles of a call; NULL: none given */
    GArray *rules;         /* HieraDecisionRule: rules of --decide; NULL: none */
    const gdouble *visits; /* by loop: mean number of times that its header is reached in an execution; below 0: not
                              known. May be NULL */
    gint8 *decided; /* by vertex: index of its branch's rule in `rules`, -1: none; made by hiera_walk_prepare() */
    guint32 n_processes;
    guint32 seed;
    gboolean apart; /* whether random decisions differ between processes; FALSE: at the same vertex, the n-th one is the
                       same in all */
    guint64 most_walked; /* number of vertices without an MPI call after which a process is given up; 0: 100 million */
    guint64 patience; /* number of steps after which a process skips even a few iterations of a loop; 0: 100 million */
} HieraWalkOptions;

/* Indices of HieraProcess.counters: executions of each vertex; then entries of each loop; then calls of each function.
 */
#define hiera_counter_of_loop(execution, loop)   ((execution)->vertices->len + (loop))
#define hiera_counter_of_graph(execution, graph) ((execution)->vertices->len + (execution)->loops->len + (graph))
#define hiera_n_counters(execution)              hiera_counter_of_graph(execution, (execution)->graphs->len)

/* What a loop executes and may change, found once for all processes. */
typedef struct {
    guint n_skipped; /* how often iterations of the loop were skipped */
    gboolean ready, reads,
        communicates;    /* reads: an iteration reads memory where addresses are computed; ready: the facts were found;
                     communicates: MPI or unknown functions are called, so    that no iteration is skipped */
    GArray *counters;    /* guint: indices of the process counters that an iteration may increase */
    GArray *stores;      /* guint: numbers of the steps in the loop that may store */
    GArray *store_lanes; /* guint8: for each of `stores`, bytes of a lane of its value; 0: one number */
    GArray *store_counters;          /* guint: for each of `stores`, index in `counters` of its vertex's counter */
    guint8 lanes[HIERA_N_REGISTERS]; /* by register: bytes of a lane, if the loop keeps several integers in the
                                        register; 0: one number */
    GArray *branches;                /* guint: branches of the loop, without those of inner loops */
} HieraLoopFacts;

/* The last decision at a branch. */
typedef struct {
    HieraFlags flags;
    gboolean known, taken;
    guint8 n_known;    /* how many times in a row the decision was known, at most 2 */
    gboolean changes;  /* whether the operands differ from those of the decision before */
    guint64 iteration; /* iteration of the branch's loop in which it was decided; 0: never decided, or in no loop */
    guint64 turn;      /* when it was decided, as value of the process's n_walked */
} HieraDecided;

/* A loop that a process has entered and not left. */
typedef struct {
    guint loop;
    guint64 iterations; /* how often the process has reached the loop's header, since it entered */
    guint64 begin;      /* begin of the run, as value of the process's n_walked */
    guint64 limit;      /* if has_limit: random number of iterations after which the loop is left */
    gboolean has_limit;
    guint n_moves;    /* number of recorded moves (entries and exits of functions) when the process entered the loop */
    gboolean skipped; /* whether iterations were skipped, so that no moves (entries and exits of functions) in the loop
                         are recorded */
    struct HieraAhead *ahead; /* facts about this run, to skip iterations (ahead.h); NULL: not examined yet */
} HieraLoopRun;

/* Position of the simulated getopt in argv. */
typedef struct {
    gint64 at;       /* index in argv of the next word */
    gint64 n_behind; /* number of words from argv[at] on that stood before the last option, and are no options */
    guint64 letter;  /* address of the next option letter in the current word; 0: at the begin of a word */
} HieraGetopt;

/* Work of an OpenMP region that the runtime distributes among threads: a loop from `begin` to `end`, or sections. */
typedef struct {
    gboolean has_loop, known;
    guint64 begin, end;
    guint32 n_sections, section;
} HieraShared;

/* A function that the program has given to atexit, or a destructor, which has an argument. */
typedef struct {
    HieraKnown function, argument;
} HieraExitCall;

/* Entry or exit of a function, recorded for the follower. */
typedef struct {
    guint graph;    /* graph of the function that is entered; HIERA_NO_VERTEX: the innermost function is left */
    guint from;     /* vertex that calls the function; HIERA_NO_VERTEX: main, which no vertex calls */
    gdouble cycles; /* cycles of the process at this move, since the last operation */
} HieraMove;

typedef struct {
    guint return_to; /* vertex at which the caller continues, or one of the HIERA_RETURN_… below; HIERA_NO_VERTEX: main
                        has no caller */
    guint first_run;    /* index in `runs` of the first loop that this function has entered */
    gboolean kept;      /* whether the function's entry was recorded as a HieraMove */
    gboolean is_region; /* whether it is the function of an OpenMP region */
} HieraFrameOfCall;

/* Callers that are no vertices: what runs functions before main, and behind it. */
#define HIERA_RETURN_TO_START (HIERA_NO_VERTEX - 1)
#define HIERA_RETURN_TO_END   (HIERA_NO_VERTEX - 2)

enum { HIERA_LAST_DRAWN = 3 };

/* What is not known at a vertex, as bits. */
typedef enum {
    HIERA_UNKNOWN_DECISION = 1, /* a branch was decided without its operands */
    HIERA_UNKNOWN_DRAWN = 2, /* so it was, and not because the compiler takes one way for unlikely, or it is an error */
    HIERA_UNKNOWN_POINTER = 4,  /* a function was called through a pointer, and nobody knows which */
    HIERA_UNKNOWN_STORE = 8,    /* a value was stored, and nobody knows where */
    HIERA_UNKNOWN_SKIPPED = 64, /* iterations of the loop were skipped that read memory */
    HIERA_UNKNOWN_END = 128,    /* the process ended here without MPI_Finalize */
    HIERA_UNKNOWN_EARLIER = 32, /* a loop was repeated until a counter ends it, and may end earlier */
    HIERA_UNKNOWN_FUNCTION = 16 /* a function of a library was called of which only the cost is known */
} HieraUnknown;

typedef struct HieraProcess HieraProcess;
struct HieraProcess {
    const HieraExecution *execution;
    const HieraWalkOptions *options;
    HieraLoopFacts *facts; /* by loop: what an iteration executes and changes; shared by all processes */
    guint32 rank;
    HieraProcessState state;
    guint at; /* vertex at which the process is */
    gboolean ended;
    const char *ended_by;  /* name of the last called function, which does not return: exit, MPI_Abort; NULL: main has
                              returned, or it is not known */
    HieraKnown end_status; /* first argument of the function `ended_by` */
    gdouble cycles;        /* cycles of the process since its last operation in the simulator */
    guint64 *counters;
    gdouble *library_cycles; /* by vertex: cycles of the library function that it called last */
    HieraDecided *decided;   /* by vertex: last decision of a branch */
    gfloat *probability;     /* by vertex: random probability that an unknown branch is taken; below 0: not drawn yet */
    HieraFiles *files;       /* files that the process has opened */
    HieraKnown word;         /* where the next strtok(NULL, …) continues; 0: there are no more words */
    HieraGetopt words;       /* where the next getopt continues */
    HieraShared shared;
    guint n_regions; /* number of OpenMP regions that the process is in */
    guint n_started; /* number of functions that were called before main */
    GArray *at_exit; /* HieraExitCall: what is to be called when the program ends, the last one first */
    guint n_left;    /* number of functions of `ends` that were called behind main */
    guint end;       /* vertex at which the program ended, so that only `at_exit` and `ends` are left; HIERA_NO_VERTEX:
                        it has not ended */
    guint64 letters[3]; /* addresses of the tables for <ctype.h> (letters.c); 0: not made yet */
    GArray *frames;     /* HieraFrameOfCall: functions that the process is in, main first */
    GArray *runs;       /* HieraLoopRun: loops that the process is in, outermost first */
    GArray *moves; /* HieraMove: functions entered and left since the last operation (moves.c); NULL: not recorded */
    guint n_skipped_runs;        /* number of loops in `runs` of which iterations were skipped */
    guint32 *n_drawn_at;         /* by vertex: number of random numbers */
    guint64 *n_undecided_at;     /* by vertex: number of decisions without operands */
    struct HieraLoopPast **past; /* by loop: what is known from all its runs, see ahead.h; NULL: not collected yet */
    guint64 n_walked, n_steps;   /* number of vertices that were walked (not skipped), and of steps executed in them */
    guint64 n_drawn, n_ahead;    /* number of decisions made at random; number of skipped iterations */
    guint last_drawn[HIERA_LAST_DRAWN]; /* vertices of the last drawn decisions, without consecutive repetitions: the
                                           i-th one, from 0, is at i % HIERA_LAST_DRAWN */
    guint64 n_last_drawn;
    guint64 n_capped;     /* number of loop runs that reached the maximum of iterations (--loops max=) */
    gboolean *was_capped; /* by loop: whether a run of it has reached the maximum of iterations */
    guint8 *unknown;      /* by vertex: HieraUnknown, what was not known there at least once */
    /* The process has reached a function that has no graph yet: the run will be repeated with its graph. The walk
     * continues a little, to find more such functions. */
    gboolean is_wanting;
    guint64 n_without; /* number of vertices walked since is_wanting was set */
    const char *stuck; /* why the process was given up; NULL: it was not given up */
};

HieraProcess *hiera_process_new(const HieraExecution *execution, const HieraWalkOptions *options, HieraLoopFacts *facts,
                                guint32 rank);
void hiera_process_free(HieraProcess *process);

/* Walk to the next MPI call. @return its vertex; HIERA_NO_VERTEX: the process has ended, or was given up (`stuck`). The
 * process then stands before the call: hiera_process_pass continues behind it */
guint hiera_process_walk(HieraProcess *process);
void hiera_process_pass(HieraProcess *process);

/* Return the innermost loop of the current function that the process is in; NULL: it is in none. */
HieraLoopRun *hiera_process_innermost(HieraProcess *process);

/* Add cycles to the process; in an OpenMP region divided by the number of threads. */
void hiera_process_spend(HieraProcess *process, gdouble cycles);

/* --- decisions.c: branches --- */

/* Find the --decide rule of each branch, for options->decided. */
void hiera_walk_prepare(const HieraExecution *execution, HieraWalkOptions *options);

/* Return the vertex where a process continues at a branch, or at a jump through a table. @return HIERA_NO_VERTEX:
 * outside the function */
guint hiera_process_decide(HieraProcess *process, const HieraVertex *vertex);
guint hiera_process_choose(HieraProcess *process, const HieraVertex *vertex);

/* --- moves.c: function entries and exits for a follower --- */

/* Record the entries and exits of functions from now on, beginning with the entry of main. */
void hiera_process_keep_moves(HieraProcess *process);
/* Record that a function is entered (its frame exists already); that the innermost function is left. */
void hiera_process_note_entry(HieraProcess *process, guint graph);
void hiera_process_note_exit(HieraProcess *process);
/* Forget the moves that were recorded in a run of a loop, since its iterations are skipped from now on. */
void hiera_process_forget_moves(HieraProcess *process, HieraLoopRun *run);

/* --- loop_facts.c: what an iteration of a loop may change --- */

HieraLoopFacts *hiera_loop_facts_new(const HieraExecution *execution);
void hiera_loop_facts_free(const HieraExecution *execution, HieraLoopFacts *facts);
void hiera_loop_facts_find(const HieraExecution *execution, guint loop, HieraLoopFacts *facts);

/* --- ahead.c, changes.c: skipping of iterations --- */

/* At a visit of the innermost loop's header: skip the next iterations if they will be like the last ones. */
void hiera_process_look_ahead(HieraProcess *process, HieraLoopRun *run);
void hiera_ahead_free(struct HieraAhead *ahead);
void hiera_loop_past_free(struct HieraLoopPast *past);

/* --- library.c: calls of library functions --- */

/* Simulate a call of a library function. @return cycles of the call; negative: the function does not return */
gdouble hiera_library_call(HieraProcess *process, const char *name);
/* Whether more is known of a library function than what any of them costs. */
gboolean hiera_library_knows(const char *name);
/* After a call of any function: make the registers and flags unknown that it may have changed by the ABI. */
void hiera_forget_call(HieraProcessState *state);
/* Return the i-th argument, from 0, of the call that is simulated: an integer or a pointer. */
HieraKnown hiera_process_argument(HieraProcess *process, guint i);

/* --- regions.c: OpenMP regions --- */

/* Whether a library function begins an OpenMP region; if so, the registers are set for the region's function.
 * @param function  receives the pointer to that function */
gboolean hiera_region_begins(HieraProcess *process, const char *name, HieraKnown *function);
