/* The execution graph of a program: for each function, the ways on which it can be executed, with what they cost.
 *
 * Source: the method of A. Manacero (thesis, Unicamp, 1997) as built by Calzeta and de Souza (GraspTool, UNESP, 2008).
 */
#ifndef HIERA_EXECUTION_GRAPH_H
#define HIERA_EXECUTION_GRAPH_H

#include "execution/code/instruction.h"
#include "modules.h"

/* Kinds of vertices: X(identifier, name). */
#define HIERA_VERTICES(X)                                                                                              \
    X(EXECUTION, "execution")                                                                                          \
    X(CALL, "call")                                                                                                    \
    X(COMMUNICATION, "communication") /* a call of an MPI function */                                                  \
    X(JUMP, "jump")                                                                                                    \
    X(BRANCH, "branch")                                                                                                \
    X(SWITCH, "switch") /* a jump by a table */                                                                        \
    X(RETURN, "return")                                                                                                \
    X(STOP, "stop") /* nothing follows */
typedef enum {
#define X(identifier, name) HIERA_VERTEX_##identifier,
    HIERA_VERTICES(X)
#undef X
        HIERA_N_VERTEX_KINDS
} HieraVertexKind;

#define HIERA_NO_VERTEX G_MAXUINT

typedef struct {
    HieraVertexKind kind;
    gboolean is_backward; /* JUMP, BRANCH: to an address before it */
    gboolean is_gone;     /* it was merged into another one */
    gboolean is_cold;     /* the compiler takes it for unlikely: in a part that it moved away */
    guint64 begin, end;   /* its first and last code; after merging, of the last part */
    guint64 action;       /* address of the instruction that gives it its kind; 0: EXECUTION */
    guint graph;          /* its function */
    guint loop;           /* the innermost loop around it, HIERA_NO_VERTEX if there is none */
    gdouble cycles;
    guint accesses;            /* to memory, of its instructions */
    guint first_step, n_steps; /* what it does to registers and memory */
    guint8 condition;          /* BRANCH: HieraStepCondition of its second edge */
    HieraStepOperand pointer;  /* CALL of a function by a pointer: where the pointer is; else PLACE_NONE */
    guint64 target;            /* CALL: address of the function; 0: it is in no file that is walked, or not known */
    guint callee;              /* CALL: its graph, HIERA_NO_VERTEX if there is none */
    const char *name;          /* CALL, COMMUNICATION: the function; NULL: not known */
    /* Vertices that may follow. The first one is at the next address (HIERA_NO_VERTEX if there is none); of a JUMP it
     * is never taken, and of a SWITCH neither. The called function's is not among them. */
    guint *next;
    guint n_next;
} HieraVertex;

/* A function. Its vertices are together: first … first + n - 1; the first one is its entry. */
typedef struct {
    const HieraFunction *function;
    const HieraObject *object; /* the file that it is in */
    const char *name;
    guint first, n;
    guint first_loop, n_loops;
    char *file; /* of its source; NULL: not known */
    int first_line, last_line;
    char *doubt; /* NULL: all is certain; else what is not */
} HieraFunctionGraph;

typedef struct {
    guint graph;
    guint header; /* a vertex */
    guint parent; /* HIERA_NO_VERTEX: there is none */
    guint depth;  /* 1: outermost */
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
    GArray *steps;             /* HieraStep; numbers of those that may store begin with 1 */
    guint n_stores;            /* numbers of stores; 0 is that of all other steps */
    GHashTable *by_address;    /* address of a function, as guint64 → its graph + 1 */
    gboolean *hopeless; /* by vertex: all ways lead to the end of the program, by exit, MPI_Abort and their like */
    guint main;         /* graph of main */
    GArray *wanted;     /* guint64: functions that processes have come to, and that have no graphs */
    GHashTable *notes;  /* char *: what is to be reported of the program */
} HieraExecution;

/* Make the graphs of main and of all functions that it may call, also by pointers that the executable makes.
 *
 * @param path       an executable
 * @param libraries  which of its libraries are walked, too: see image/link/library_choice.h
 * @param error      what is wrong with it, or that it has no main
 * @return to be freed with hiera_execution_free */
HieraExecution *hiera_execution_new(const char *path, const char *libraries, GError **error);
void hiera_execution_free(HieraExecution *execution);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraExecution, hiera_execution_free)

#define hiera_execution_vertex(execution, i) (&g_array_index((execution)->vertices, HieraVertex, i))
#define hiera_execution_graph(execution, i)  (&g_array_index((execution)->graphs, HieraFunctionGraph, i))
#define hiera_execution_loop(execution, i)   (&g_array_index((execution)->loops, HieraExecutionLoop, i))

/* Find the graph of the function that a pointer points to. One that has none is wanted then, with all that are in the
 * same table.
 *
 * @param slot  where the pointer is, 0: not known
 * @return HIERA_NO_VERTEX if there is none */
guint hiera_execution_find(const HieraExecution *execution, guint64 pointer, guint64 slot);
/* Make the graphs that are wanted, and those of all functions that these call. No process and no run may be left: what
 * they have is for the vertices, loops and graphs that were there before. @return whether there are more now */
gboolean hiera_execution_extend(HieraExecution *execution);
/* Tell something of the program. */
void hiera_execution_note(HieraExecution *execution, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The vertex that follows, where it is but one. */
static inline guint hiera_vertex_only_next(const HieraVertex *vertex)
{
    return vertex->n_next > 0 ? vertex->next[0] : HIERA_NO_VERTEX;
}

/* Whether a vertex is in a loop, or in one inside it. */
gboolean hiera_execution_is_inside(const HieraExecution *execution, guint vertex, guint loop);

/* Which of the reductions are made; see reduce.c. */
typedef enum { HIERA_REDUCE_PASSAGES = 1, HIERA_REDUCE_GROUPINGS = 2, HIERA_REDUCE_BRANCHES = 4 } HieraReductions;
/* Merge vertices. Communication, calls and decisions stay as they are. @return how many vertices are gone */
guint hiera_execution_reduce(HieraExecution *execution, HieraReductions reductions);

/* Add to the costs of all vertices from the first one on what accesses cost that caches do not have.
 * @param misses  how many of all accesses, from 0 to 1. @param cycles  of each */
void hiera_execution_cost_misses(HieraExecution *execution, guint first, gdouble misses, gdouble cycles);

/* Costs of all vertices from the first one on as llvm-mca has them. @return FALSE if it is not installed, or failed */
gboolean hiera_execution_cost_by_mca(HieraExecution *execution, guint first, const char *processor, GError **error);

#endif
