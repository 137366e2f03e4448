/** Findings: what is wrong with traces, or with the program that they are of.
 *
 * Data is no error: whatever a trace contains, it is read as far as that makes sense, and the rest is a finding. */
#ifndef HIERA_FINDINGS_H
#define HIERA_FINDINGS_H

#include <glib.h>

#ifndef HIERA_API
#define HIERA_API __attribute__((visibility("default")))
#endif

/** How bad a finding is: an error breaks a rule, a warning makes the answer partial, a note does neither. */
typedef enum { HIERA_SEVERITY_NOTE, HIERA_SEVERITY_WARNING, HIERA_SEVERITY_ERROR } HieraSeverity;

/** What can be found: X(identifier, name, severity, partial, unreadable). `partial`: the measures do not see
 * everything; `unreadable`: (part of) a file could not be read at all. */
#define HIERA_FINDINGS(X)                                                                                              \
    X(FILE, "file", ERROR, 1, 1)                   /* missing, no regular file, no permission */                       \
    X(SYNTAX, "syntax", ERROR, 1, 1)               /* not well-formed, not a trace */                                  \
    X(ENTITY, "entity", ERROR, 1, 1)               /* declares entities */                                             \
    X(RANK, "rank", ERROR, 1, 1)                   /* no usable rank, two files for one rank */                        \
    X(ALIVE, "alive", WARNING, 1, 0)               /* its process still runs */                                        \
    X(CUT, "cut", WARNING, 1, 0)                   /* the trace ends too early */                                      \
    X(END, "end", NOTE, 0, 0)                      /* how the program ended, if not as it should */                    \
    X(LOST, "lost", WARNING, 1, 0)                 /* the collector could not record something */                      \
    X(PAUSED, "paused", NOTE, 1, 0)                /* the program had recording switched off */                        \
    X(LEFT, "left", NOTE, 1, 0)                    /* calls that did not return: their times are upper bounds */       \
    X(UNBALANCED, "unbalanced", WARNING, 0, 0)     /* begins and ends of regions that do not fit */                    \
    X(MISSING_RANK, "missing rank", WARNING, 1, 0) /* of the job's ranks */                                            \
    X(MIXED_JOBS, "mixed jobs", WARNING, 1, 0)     /* traces of different runs */                                      \
    X(VALUE, "value", WARNING, 1, 0)               /* an attribute with an absurd value */                             \
    X(UNKNOWN_ELEMENT, "unknown element", NOTE, 0, 0)                                                                  \
    X(UNKNOWN_ATTRIBUTE, "unknown attribute", NOTE, 0, 0)                                                              \
    X(UNKNOWN_OPERATION, "unknown operation", NOTE, 0, 0)                                                              \
    X(OBJECT, "object", NOTE, 0, 0)                  /* a program or library whose places have no line */              \
    X(INVALID, "invalid", ERROR, 0, 0)               /* against the DTD */                                             \
    X(NESTING, "nesting", ERROR, 0, 0)               /* a child outside its parent's time */                           \
    X(CAUSALITY, "causality", ERROR, 0, 0)           /* received before it was sent */                                 \
    X(CAUSALITY_UNSURE, "causality", WARNING, 0, 0)  /* likewise, by clocks whose error is not known */                \
    X(CAUSALITY_KNOWN, "causality", NOTE, 0, 0)      /* likewise, of threads that were not simulated */                \
    X(UNMATCHED, "unmatched", ERROR, 0, 0)           /* the program's error: no partner */                             \
    X(UNMATCHED_PARTIAL, "unmatched", WARNING, 0, 0) /* the trace does not hold the partner */                         \
    X(UNMATCHED_KNOWN, "unmatched", NOTE, 0, 0)      /* likewise, and no trace of the job could */                     \
    X(COLLECTIVE, "collective", ERROR, 0, 0)         /* different calls, different roots */                            \
    X(CONSERVATION, "conservation", ERROR, 0, 0)     /* messages or bytes sent and received differ */                  \
    X(IDENTITY, "identity", ERROR, 0, 0)             /* measures contradict each other */                              \
    X(EPOCH, "epoch", ERROR, 0, 0)                   /* epochs of a window do not nest */                              \
    X(AMBIGUOUS, "ambiguous", NOTE, 0, 0)            /* messages may be tied to wrong ones */                          \
    X(LEAK, "leak", NOTE, 0, 0)                      /* not freed at the end */                                        \
    X(CLOCKS, "clocks", WARNING, 1, 0)               /* their error could turn a part of the answer round */           \
    X(RANGE, "range", WARNING, 1, 0)                 /* a sum does not fit into 64 bits */                             \
    X(SUMS, "sums", NOTE, 1, 0)                      /* of a profile: single operations are not known */               \
    X(WINDOW, "window", NOTE, 1, 0)                  /* only the last part of a run is known */                        \
    X(NOT_RECORDED, "not recorded", WARNING, 1, 0)   /* an attribute that is asked for */

typedef enum {
#define X(identifier, name, severity, partial, unreadable) HIERA_FINDING_##identifier,
    HIERA_FINDINGS(X)
#undef X
        HIERA_N_FINDINGS
} HieraFindingCode;

/** One thing found. */
typedef struct {
    HieraFindingCode code;
    const char *file; /* "" where it belongs to no file */
    guint32 line;     /* 0 where unknown */
    guint64 count;    /* how often; file and line are those of the first */
    char *message;    /* what is wrong and what to do */
} HieraFinding;

/** A list of findings. */
typedef struct HieraFindings HieraFindings;

/** Make an empty list of findings, to be freed by hiera_findings_free. One thread may use it at a time. */
HIERA_API HieraFindings *hiera_findings_new(void);

/** Free findings and their messages. NULL is allowed. */
HIERA_API void hiera_findings_free(HieraFindings *findings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraFindings, hiera_findings_free)

/** Number of findings that are kept: equal ones are one, and of each code only the first thousand are kept. */
HIERA_API guint hiera_findings_count(const HieraFindings *findings);

/** A finding that is kept, from 0 on, in the order in which they were found; owned by the list. */
HIERA_API const HieraFinding *hiera_findings_peek(const HieraFindings *findings, guint index);

/** How many findings of a severity there were, equal ones and those that are not kept included. */
HIERA_API guint64 hiera_findings_count_severity(const HieraFindings *findings, HieraSeverity severity);

/** Whether some finding makes the answer partial: measures do not see all that the program did. */
HIERA_API gboolean hiera_findings_partial(const HieraFindings *findings);

/** Whether some finding says that a file could not be read. */
HIERA_API gboolean hiera_findings_unreadable(const HieraFindings *findings);

/** Severity of all findings of a code. */
HIERA_API HieraSeverity hiera_finding_severity(HieraFindingCode code);

/** Name of a code, as in JSON; a constant. Codes that differ in severity alone share one. */
HIERA_API const char *hiera_finding_name(HieraFindingCode code);

#endif
