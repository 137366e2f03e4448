/* The execution graph of a program: for each function, the paths on which it can be executed, with their costs.
 *
 * Source: the method of A. Manacero (thesis, Unicamp, 1997) as built by Calzeta and de Souza (GraspTool, UNESP, 2008).
 */
#pragma once

#include "execution/code/instruction.h"
#include "modules.h"

/* Kinds of vertices, by how execution continues behind their code: X(identifier, name). */
#define HIERA_VERTICES(X)                                                                                              \
    X(EXECUTION, "execution")                                                                                          \
    X(CALL, "call")                                                                                                    \
    X(COMMUNICATION, "communication") /* a call of an MPI function */                                                  \
    X(JUMP, "jump")                                                                                                    \
    X(BRANCH, "branch")                                                                                                \
    X(SWITCH, "switch") /* a jump through a table of addresses */                                                      \
    X(RETURN, "return")                                                                                                \
    X(STOP, "stop") /* an instruction behind which the program does not continue */
typedef enum {
#define X(identifier, name) HIERA_VERTEX_##identifier,
    HIERA_VERTICES(X)
#undef X
        HIERA_N_VERTEX_KINDS
} HieraVertexKind;

#define HIERA_NO_VERTEX G_MAXUINT

typedef struct {
    HieraVertexKind kind;
    gboolean is_backward; /* JUMP, BRANCH: the jump goes to a lower address, or to itself */
    gboolean is_gone;     /* the vertex was merged into another one, and is not used any longer */
    gboolean is_cold;     /* the vertex is in a part that the compiler moved out of its function as unlikely (.cold) */
    guint64 begin, end;   /* address range of the vertex's code; after merging, of the last part */
    guint64 action;       /* address of the instruction that gives the vertex its kind; EXECUTION: 0 */
    guint graph;          /* index of the graph (function) that contains the vertex */
    guint loop;           /* index of the innermost loop that contains the vertex; HIERA_NO_VERTEX: none */
    gdouble cycles;
    guint accesses;            /* number of memory accesses of the vertex's instructions */
    guint first_step, n_steps; /* range in `steps`: what the vertex does to registers and memory */
    guint8 condition;          /* BRANCH: HieraStepCondition under which the branch is taken, to next[1] */
    HieraStepOperand pointer;  /* CALL or SWITCH through a pointer: operand that holds the pointer; else of kind NONE */
    guint64 target;            /* CALL: address of the called function; 0: not known, or in no analysed file */
    guint callee;              /* CALL: index of the called function's graph; HIERA_NO_VERTEX: it has none */
    const char *name;          /* CALL, COMMUNICATION: name of the called function; NULL: not known */
    /* Vertices that may follow. The first is the vertex at the next address (HIERA_NO_VERTEX if there is none), which
     * never follows a JUMP or a SWITCH. The entry of a called function is not in the list. */
    guint *next;
    guint n_next;
} HieraVertex;

/* Graph of a function. Its vertices are consecutive: first … first + n - 1; the first one is its entry. */
typedef struct {
    const HieraFunction *function;
    const HieraObject *object; /* executable or library that contains the function */
    const char *name;
    guint first, n;
    guint first_loop, n_loops;
    char *file; /* source file of the function; NULL: not known */
    int first_line, last_line;
    char *doubt; /* why the graph may be wrong; NULL: nothing is uncertain */
} HieraFunctionGraph;

typedef struct {
    guint graph;
    guint header; /* vertex at which the loop is entered */
    guint parent; /* index of the loop around it; HIERA_NO_VERTEX: none */
    guint depth;  /* nesting depth of the loop; 1: outermost */
    char *file;
    int first_line, last_line;
    guint64 begin; /* address of the loop's header */
} HieraExecutionLoop;

typedef struct {
    HieraModules modules;
    const HieraObject *object; /* the program's executable */
    GArray *vertices;          /* HieraVertex, of all functions */
    GArray *graphs;            /* HieraFunctionGraph: one for each function */
    GArray *loops;             /* HieraExecutionLoop; a loop comes before the loops inside it */
    GArray *steps;             /* HieraStep: effects of the vertices on registers and memory */
    guint n_stores;            /* next free HieraStep.number of a step that may store; they begin with 1 */
    GHashTable *by_address;    /* address of a function, as guint64 → 1 + index of its graph */
    gboolean *hopeless;        /* by vertex: whether all paths from it end the program by exit, MPI_Abort or similar */
    guint main;                /* index of the graph of main */
    GArray *starts, *ends;     /* guint64: functions that run before main and behind it, in their order */
    guint n_unknown_starts;    /* number of functions that run before main and have no graph */
    GArray *wanted;            /* guint64: functions called through pointers that have no graphs yet */
    GHashTable *notes;         /* set of char *: what the analysis leaves out, for the user */
} HieraExecution;

/* Make the graphs of main and of all functions that it may call, also through pointers made in the executable.
 *
 * @param path       an executable
 * @param libraries  libraries that are analysed, too: see image/link/library_choice.h
 * @param error      describes what is wrong with it, or that it has no main
 * @return to be freed with hiera_execution_free */
HieraExecution *hiera_execution_new(const char *path, const char *libraries, GError **error);
void hiera_execution_free(HieraExecution *execution);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraExecution, hiera_execution_free)

#define hiera_execution_vertex(execution, i) (&g_array_index((execution)->vertices, HieraVertex, i))
#define hiera_execution_graph(execution, i)  (&g_array_index((execution)->graphs, HieraFunctionGraph, i))
#define hiera_execution_loop(execution, i)   (&g_array_index((execution)->loops, HieraExecutionLoop, i))

/* Find the graph of the function that a pointer points to. If there is none, the function is added to `wanted`, with
 * all functions of the same table.
 *
 * @param slot  address of the pointer, 0: not known
 * @return HIERA_NO_VERTEX if there is none */
guint hiera_execution_find(const HieraExecution *execution, guint64 pointer, guint64 slot);
/* Make the graphs of the wanted functions, and of all functions that these call. Free all processes and runs before:
 * their data are for the old vertices, loops and graphs. @return whether there are more graphs now */
gboolean hiera_execution_extend(HieraExecution *execution);
/* Add a note on what the analysis of the program leaves out. */
void hiera_execution_note(HieraExecution *execution, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Return next[0], where EXECUTION, CALL and COMMUNICATION continue; HIERA_NO_VERTEX: there is none. */
static inline guint hiera_vertex_only_next(const HieraVertex *vertex)
{
    return vertex->n_next > 0 ? vertex->next[0] : HIERA_NO_VERTEX;
}

/* Whether a loop contains a vertex, directly or in one of its inner loops. */
gboolean hiera_execution_is_inside(const HieraExecution *execution, guint vertex, guint loop);

/* Ways of merging vertices, as bits; see reduce.c. */
typedef enum { HIERA_REDUCE_PASSAGES = 1, HIERA_REDUCE_GROUPINGS = 2, HIERA_REDUCE_BRANCHES = 4 } HieraReductions;
/* Merge vertices that need not be separate. Communication, calls and decisions stay. @return number removed */
guint hiera_execution_reduce(HieraExecution *execution, HieraReductions reductions);

/* Add the cost of cache misses to all vertices from `first` on.
 * @param misses  share of accesses that miss, from 0 to 1. @param cycles  of each miss */
void hiera_execution_cost_misses(HieraExecution *execution, guint first, gdouble misses, gdouble cycles);

/* Set the costs of all vertices from `first` on as llvm-mca estimates them. @return FALSE: it is missing, or failed */
gboolean hiera_execution_cost_by_mca(HieraExecution *execution, guint first, const char *processor, GError **error);
