/** Findings: problems in traces, or in the traced program.
 *
 * Strange data is no error: a trace is read as far as its data makes sense, and the rest becomes a finding. */
#ifndef HIERA_FINDINGS_H
#define HIERA_FINDINGS_H

#include <glib.h>

#ifndef HIERA_API
#define HIERA_API __attribute__((visibility("default")))
#endif

/** Severity of a finding: an error breaks a rule, a warning is about what should not be so, a note is about neither. */
typedef enum { HIERA_SEVERITY_NOTE, HIERA_SEVERITY_WARNING, HIERA_SEVERITY_ERROR } HieraSeverity;

/** Kinds of findings: X(identifier, name, severity, partial, unreadable). `partial`: the measures do not see
 * everything; `unreadable`: (part of) a file could not be read at all. */
#define HIERA_FINDINGS(X)                                                                                              \
    X(FILE, "file", ERROR, 1, 1)               /* the trace file is missing, is no regular file, or may not be read */ \
    X(SYNTAX, "syntax", ERROR, 1, 1)           /* the file is not well-formed XML, or no trace */                      \
    X(ENTITY, "entity", ERROR, 1, 1)           /* the file declares XML entities */                                    \
    X(RANK, "rank", ERROR, 1, 1)               /* a trace has no usable rank, or two files have the same rank */       \
    X(ALIVE, "alive", WARNING, 1, 0)           /* the process of the trace still runs */                               \
    X(CUT, "cut", WARNING, 1, 0)               /* calls, or MPI_Finalize, are missing at the end of the trace */       \
    X(END, "end", NOTE, 0, 0)                  /* how the process ended, if not normally (a signal, …) */            \
    X(LOST, "lost", WARNING, 1, 0)             /* the collector could not record some calls */                         \
    X(UNWATCHED, "unwatched", NOTE, 0, 0)      /* loads and stores of the program were not seen */                     \
    X(PAUSED, "paused", NOTE, 1, 0)            /* the program had paused the recording */                              \
    X(LEFT, "left", NOTE, 1, 0)                /* calls left by longjmp or exception: their times are upper bounds */  \
    X(UNBALANCED, "unbalanced", WARNING, 0, 0) /* the program's calls to begin and end regions do not match */         \
    X(MISSING_RANK, "missing rank", WARNING, 1, 0) /* a rank of the job has no trace */                                \
    X(MIXED_JOBS, "mixed jobs", WARNING, 1, 0)     /* the trace files are of different runs */                         \
    X(VALUE, "value", WARNING, 1, 0)               /* an attribute has an impossible value */                          \
    X(UNKNOWN_ELEMENT, "unknown element", NOTE, 0, 0)                                                                  \
    X(UNKNOWN_ATTRIBUTE, "unknown attribute", NOTE, 0, 0)                                                              \
    X(UNKNOWN_OPERATION, "unknown operation", NOTE, 0, 0)                                                              \
    X(OBJECT, "object", NOTE, 0, 0)                  /* a program or library whose addresses have no source line */    \
    X(INVALID, "invalid", ERROR, 0, 0)               /* the trace file is not valid by the DTD */                      \
    X(NESTING, "nesting", ERROR, 0, 0)               /* an operation lies outside its parent's time */                 \
    X(CAUSALITY, "causality", ERROR, 0, 0)           /* a message was received before it was sent */                   \
    X(CAUSALITY_UNSURE, "causality", WARNING, 0, 0)  /* as CAUSALITY, between clocks whose error is not known */       \
    X(CAUSALITY_KNOWN, "causality", NOTE, 0, 0)      /* as CAUSALITY, in threads that were not simulated */            \
    X(UNMATCHED, "unmatched", ERROR, 0, 0)           /* operation without partner: an error of the program */          \
    X(UNMATCHED_PARTIAL, "unmatched", WARNING, 0, 0) /* operation without partner: the traces do not show it */        \
    X(UNMATCHED_KNOWN, "unmatched", NOTE, 0, 0)      /* operation without partner: no trace could show it */           \
    X(COLLECTIVE, "collective", ERROR, 0, 0)         /* members' collective calls differ in function or root */        \
    X(CONSERVATION, "conservation", ERROR, 0, 0)     /* messages or bytes sent and received differ */                  \
    X(IDENTITY, "identity", ERROR, 0, 0)             /* measures contradict each other */                              \
    X(EPOCH, "epoch", ERROR, 0, 0)                   /* RMA epochs of a window do not nest */                          \
    X(EPOCH_LOOSE, "epoch", NOTE, 0, 0)              /* as EPOCH, if calls between two fences begin an epoch */        \
    X(AMBIGUOUS, "ambiguous", NOTE, 0, 0)            /* the pairing of sends and receives is ambiguous */              \
    X(LEAK, "leak", NOTE, 0, 0)                      /* MPI objects or requests not freed at the end */                \
    X(FINALIZE, "finalize", ERROR, 0, 0)             /* MPI_Finalize must not be called so, or was not called */       \
    X(CLOCKS, "clocks", WARNING, 1, 0)               /* the error of the clocks could reverse a part of the answer */  \
    X(RANGE, "range", WARNING, 1, 0)                 /* a sum of the answer does not fit into 64 bits */               \
    X(SUMS, "sums", NOTE, 1, 0)                      /* calls known only as sums: single operations are missing */     \
    X(WINDOW, "window", NOTE, 1, 0)                  /* only the last part of the run was recorded */                  \
    X(THREADS, "threads", WARNING, 1, 0)             /* threads that were not recorded have used processor time */     \
    X(NOT_RECORDED, "not recorded", WARNING, 1, 0)   /* no trace has an attribute that is asked for */                 \
    X(MAIN_THREADS, "main threads", NOTE, 0, 0)      /* the numbers are about main threads, and there are others */    \
    X(TYPES, "types", ERROR, 0, 0)                   /* datatypes of both sides, or of an operator, do not fit */      \
    X(TYPES_LOOSE, "types", WARNING, 0, 0)           /* as TYPES, but the bits mean the same on this machine */        \
    X(TYPES_OF_VARIABLE, "types", NOTE, 0, 0)        /* as TYPES, of a variable and the datatype of the call */        \
    X(BUFFER, "buffer", ERROR, 0, 0)                 /* memory of a call that is not complete was used */              \
    X(OVERRUN, "overrun", ERROR, 0, 0)               /* a buffer goes beyond its variable, or block of memory */       \
    X(OVERRUN_LOOSE, "overrun", WARNING, 0, 0)       /* as OVERRUN, by gaps, or no message was that long */            \
    X(NO_MEMORY, "no memory", ERROR, 0, 0)           /* a buffer is where the process has no memory */                 \
    X(CONFLICT_OWN, "conflict", NOTE, 0, 0)          /* as CONFLICT, of the program itself, which may be ordered */    \
    X(CONFLICT, "conflict", WARNING, 0, 0)           /* accesses to the memory of a window that nothing orders */      \
    X(ARGUMENT, "argument", ERROR, 0, 0)             /* an argument that MPI forbids */                                \
    X(ARGUMENT_TOLD, "argument", NOTE, 0, 0)         /* as ARGUMENT, in a call that returned an error */               \
    X(UNBUFFERED, "unbuffered", WARNING, 0, 0)       /* ranks would hang if MPI buffered no message */                 \
    X(RACE, "race", NOTE, 0, 0)                      /* a receive could have got the message of another sender */      \
    X(REQUEST, "request", ERROR, 0, 0)               /* a request or a matched message is used against MPI's rules */  \
    X(FREED, "request", NOTE, 0, 0)                  /* a request is freed before it is complete */                    \
    X(SIGNATURE, "signature", NOTE, 0, 0)            /* a datatype whose signature nobody can read */                  \
    X(CONCURRENT, "concurrent collectives", ERROR, 0, 0) /* threads in collectives of one communicator at a time */    \
    X(THREAD_LEVEL, "thread level", ERROR, 0, 0)         /* calls of threads that MPI was not asked to allow */        \
    X(PROBE, "probe", NOTE, 0, 0)                        /* a probed message that another thread may receive */        \
    X(SUPPRESSION, "suppression", NOTE, 0, 0)            /* a line of --suppress that nothing meets */

typedef enum {
#define X(identifier, name, severity, partial, unreadable) HIERA_FINDING_##identifier,
    HIERA_FINDINGS(X)
#undef X
        HIERA_N_FINDINGS
} HieraFindingCode;

/** A line of the program's source. */
typedef struct {
    const char *file; /* as the trace has it; "": not known */
    guint32 line;
} HieraFindingCall;

/** A finding: a problem in a trace or in the traced program. */
typedef struct {
    HieraFindingCode code;
    const char *file;          /* path of the trace file; "": the finding belongs to no file */
    guint32 line;              /* line in the file; 0: unknown */
    guint64 count;             /* how often the finding occurred; file and line are those of the first time */
    char *message;             /* one sentence: what is wrong and what to do */
    HieraFindingCall calls[2]; /* calls that it is about: the one of `line`, and its other side */
} HieraFinding;

/** A list of findings; equal findings are counted, not repeated. */
typedef struct HieraFindings HieraFindings;

/** Make an empty list of findings, to be freed by hiera_findings_free. One thread may use it at a time. */
HIERA_API HieraFindings *hiera_findings_new(void);

/** Free findings and their messages. NULL is allowed. */
HIERA_API void hiera_findings_free(HieraFindings *findings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraFindings, hiera_findings_free)

/** Number of findings that are kept: equal findings count once, and of each code only the first thousand are kept. */
HIERA_API guint hiera_findings_count(const HieraFindings *findings);

/** Return finding number `index` of those that are kept, from 0, in the order in which they were found; owned by the
 * list. */
HIERA_API const HieraFinding *hiera_findings_peek(const HieraFindings *findings, guint index);

/** Number of findings of a severity, including equal ones and those that are not kept. */
HIERA_API guint64 hiera_findings_count_severity(const HieraFindings *findings, HieraSeverity severity);

/** Whether some finding makes the answer partial: measures do not see all that the program did. */
HIERA_API gboolean hiera_findings_partial(const HieraFindings *findings);

/** Whether some finding says that a file could not be read. */
HIERA_API gboolean hiera_findings_unreadable(const HieraFindings *findings);

/** Return the severity that all findings with this code have. */
HIERA_API HieraSeverity hiera_finding_severity(HieraFindingCode code);

/** Return the name of a code, as in JSON; a constant. Codes that differ only in severity share a name. */
HIERA_API const char *hiera_finding_name(HieraFindingCode code);

#endif
