/* The execution graph of a program: for each function, the paths on which it can be executed, with their costs.
 *
 * Source: the method of A. Manacero (thesis, Unicamp, 1997) as built by Calzeta and de Souza (GraspTool, UNESP, 2008).
 */
#pragma once

#include "execution/code/instruction.h"
#include "modules.h"

/* Kinds of vertices: X(identifier, name). */
#define HIERA_VERTICES(X)                                                                                              \
    X(EXECUTION, "execution")                                                                                          \
    X(CALL, "call")                                                                                                    \
    X(COMMUNICATION, "communication") /* a call of an MPI function */                                                  \
    X(JUMP, "jump")                                                                                                    \
    X(BRANCH, "branch")                                                                                                \
    X(SWITCH, "switch") /* a jump through a table */                                                                   \
    X(RETURN, "return")                                                                                                \
    X(STOP, "stop") /* end of execution */
typedef enum {
#define X(identifier, name) HIERA_VERTEX_##identifier,
    HIERA_VERTICES(X)
#undef X
        HIERA_N_VERTEX_KINDS
} HieraVertexKind;

#define HIERA_NO_VERTEX G_MAXUINT

typedef struct {
    HieraVertexKind kind;
    gboolean is_backward; /* JUMP, BRANCH: the target is at a lower address */
    gboolean is_gone;     /* the vertex was merged into another one */
    gboolean is_cold;     /* the code is in a part that the compiler moved away as unlikely */
    guint64 begin, end;   /* begin and end of its code; after merging, of the last part */
    guint64 action;       /* address of the instruction that gives the vertex its kind; EXECUTION: 0 */
    guint graph;          /* graph of its function */
    guint loop;           /* innermost loop around it, HIERA_NO_VERTEX if there is none */
    gdouble cycles;
    guint accesses;            /* number of memory accesses of its instructions */
    guint first_step, n_steps; /* its effect on registers and memory */
    guint8 condition;          /* BRANCH: HieraStepCondition under which the second edge is taken */
    HieraStepOperand pointer;  /* CALL through a pointer: place of the pointer; otherwise PLACE_NONE */
    guint64 target;            /* CALL: address of the function; 0: it is in no analysed file, or not known */
    guint callee;              /* CALL: graph of the function, HIERA_NO_VERTEX if there is none */
    const char *name;          /* CALL, COMMUNICATION: name of the function; NULL: not known */
    /* Vertices that may follow. The first is the vertex at the next address (HIERA_NO_VERTEX if there is none), which
     * never follows a JUMP or a SWITCH. The entry of a called function is not in the list. */
    guint *next;
    guint n_next;
} HieraVertex;

/* A function. Its vertices are consecutive: first … first + n - 1; the first one is its entry. */
typedef struct {
    const HieraFunction *function;
    const HieraObject *object; /* the file that contains it */
    const char *name;
    guint first, n;
    guint first_loop, n_loops;
    char *file; /* source file; NULL: not known */
    int first_line, last_line;
    char *doubt; /* description of what is uncertain; NULL: nothing */
} HieraFunctionGraph;

typedef struct {
    guint graph;
    guint header; /* vertex at which it is entered */
    guint parent; /* HIERA_NO_VERTEX: there is none */
    guint depth;  /* nesting depth; 1: outermost */
    char *file;
    int first_line, last_line;
    guint64 begin; /* address of its header */
} HieraExecutionLoop;

typedef struct {
    HieraModules modules;
    const HieraObject *object; /* the executable */
    GArray *vertices;          /* HieraVertex */
    GArray *graphs;            /* HieraFunctionGraph */
    GArray *loops;             /* HieraExecutionLoop; a loop comes before those inside it */
    GArray *steps;             /* HieraStep; numbers of steps that may store begin with 1 */
    guint n_stores;            /* next free number of a store; all other steps have number 0 */
    GHashTable *by_address;    /* address of a function, as guint64 → its graph + 1 */
    gboolean *hopeless;        /* by vertex: all paths end the program by exit, MPI_Abort or similar */
    guint main;                /* graph of main */
    GArray *wanted;            /* guint64: functions that processes have reached and that have no graphs yet */
    GHashTable *notes;         /* char *: remarks on the program */
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
/* Add a remark on the program. */
void hiera_execution_note(HieraExecution *execution, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The following vertex, if there is only one. */
static inline guint hiera_vertex_only_next(const HieraVertex *vertex)
{
    return vertex->n_next > 0 ? vertex->next[0] : HIERA_NO_VERTEX;
}

/* Whether a vertex is in a loop, or in one inside it. */
gboolean hiera_execution_is_inside(const HieraExecution *execution, guint vertex, guint loop);

/* The reductions that are made; see reduce.c. */
typedef enum { HIERA_REDUCE_PASSAGES = 1, HIERA_REDUCE_GROUPINGS = 2, HIERA_REDUCE_BRANCHES = 4 } HieraReductions;
/* Merge vertices. Communication, calls and decisions stay as they are. @return number of vertices removed */
guint hiera_execution_reduce(HieraExecution *execution, HieraReductions reductions);

/* Add the cost of cache misses to all vertices from `first` on.
 * @param misses  share of accesses that miss, from 0 to 1. @param cycles  of each miss */
void hiera_execution_cost_misses(HieraExecution *execution, guint first, gdouble misses, gdouble cycles);

/* Set the costs of all vertices from `first` on with llvm-mca. @return FALSE if it is not installed, or failed */
gboolean hiera_execution_cost_by_mca(HieraExecution *execution, guint first, const char *processor, GError **error);
