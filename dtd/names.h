/* The names of the trace: the words that the collector writes and the transform reads.
 *
 * Each list is an X-macro, so that an enumeration, a table of strings and a test can be made from the same rows.
 * Operation names and their kinds are not here: they come from the level tables (collector/mpi/functions.table) and
 * reach both halves through the generated operations.h. This folder is all that collector and transform share. */
#ifndef HIERA_NAMES_H
#define HIERA_NAMES_H

/** Version of the format, the value of the attribute `format` of `processor`. */
#define HIERA_FORMAT "1"

/** In compact spelling a request stands by its distance from the last one that was started, unless it is farther off.
 */
#define HIERA_REQUEST_FARTHEST 4096

/** Elements: X(identifier, name). */
#define HIERA_ELEMENTS(X)                                                                                              \
    X(PROCESSOR, "processor")        /* root: one rank */                                                              \
    X(MPI, "hieraMPI")               /* an MPI call */                                                                 \
    X(OOPS, "hieraOOPS")             /* a method of the OOPS framework */                                              \
    X(REGION, "hieraRegion")         /* an operation of any other level */                                             \
    X(COMM, "hieraComm")             /* declares a communicator */                                                     \
    X(GROUP, "hieraGroup")           /* declares a group */                                                            \
    X(TYPE, "hieraType")             /* declares a datatype that the program made */                                   \
    X(OBJECT, "hieraObject")         /* names the file of a program or library whose places have no line */            \
    X(FILTERED, "hieraFiltered")     /* operations that were counted, not recorded */                                  \
    X(CALL, "hieraCall")             /* declares what calls have in common, in compact spelling, ... */                \
    X(USE, "c")                      /* ... and one of those calls */                                                  \
    X(THREAD, "hieraThread")         /* the operations of one further thread */                                        \
    X(FLUSH, "hieraFlush")           /* time that the collector took for itself */                                     \
    X(LOST, "hieraLost")             /* what the collector could not record */                                         \
    X(PAUSE, "hieraPause")           /* a time in which recording was switched off */                                  \
    X(UNBALANCED, "hieraUnbalanced") /* begins and ends of regions that do not fit */                                  \
    X(END, "hieraEnd")               /* how the process ended, if not as it should */

/** Attributes that have a meaning of their own to the reader: X(identifier, name). Arguments of MPI calls that have
 * none stand in the function table alone. */
#define HIERA_ATTRIBUTES(X)                                                                                            \
    X(RANK, "rank")                                                                                                    \
    X(INIT, "init")                                                                                                    \
    X(FINALIZE, "finalize")                                                                                            \
    X(SIZE, "size")                                                                                                    \
    X(APPLICATION, "application")                                                                                      \
    X(JOB, "job")                                                                                                      \
    X(HOST, "host")                                                                                                    \
    X(PID, "pid")                                                                                                      \
    X(FORMAT, "format")                                                                                                \
    X(CLOCK, "clock")                                                                                                  \
    X(CLOCK_ERROR, "clock_error")                                                                                      \
    X(CLOCK_OFFSET, "clock_offset")                                                                                    \
    X(CLOCK_DRIFT, "clock_drift")                                                                                      \
    X(ID, "id")                                                                                                        \
    X(RANKS, "ranks")                                                                                                  \
    X(REMOTE, "remote")                                                                                                \
    X(NAME, "name")                                                                                                    \
    X(EXTENT, "extent")                                                                                                \
    X(PATH, "path")                                                                                                    \
    X(BUILD, "build")                                                                                                  \
    X(NEIGHBORS_IN, "neighbors_in")                                                                                    \
    X(NEIGHBORS_OUT, "neighbors_out")                                                                                  \
    X(CAUSE, "cause")                                                                                                  \
    X(VALUE, "value")                                                                                                  \
    X(REASON, "reason")                                                                                                \
    X(OPERATION, "operation")                                                                                          \
    X(LEVEL, "level")                                                                                                  \
    X(CLASS, "class")                                                                                                  \
    X(METHOD, "method")                                                                                                \
    X(ARGS, "args")                                                                                                    \
    X(FILE, "file")                                                                                                    \
    X(LINE, "line")                                                                                                    \
    X(START_TIME, "start_time")                                                                                        \
    X(FINISH_TIME, "finish_time")                                                                                      \
    X(TIME, "time")                                                                                                    \
    X(COUNT, "count")                                                                                                  \
    X(PAUSES, "pauses")                                                                                                \
    X(COMMUNICATOR, "comm")                                                                                            \
    X(NEWCOMM, "newcomm")                                                                                              \
    X(DEST, "dest")                                                                                                    \
    X(REM, "rem")                                                                                                      \
    X(TAG, "tag")                                                                                                      \
    X(STAG, "stag")                                                                                                    \
    X(RTAG, "rtag")                                                                                                    \
    X(POSTED, "posted")                                                                                                \
    X(POSTED_TAG, "posted_tag")                                                                                        \
    X(ROOT, "root")                                                                                                    \
    X(TARGET_RANK, "target_rank")                                                                                      \
    X(OP, "op")                                                                                                        \
    X(WIN, "win")                                                                                                      \
    X(FILE_HANDLE, "fh")                                                                                               \
    X(GROUP, "group")                                                                                                  \
    X(FLAG, "flag")                                                                                                    \
    X(BYTES, "bytes")                                                                                                  \
    X(RBYTES, "rbytes")                                                                                                \
    X(MESSAGE, "message")                                                                                              \
    X(REQUEST, "request")                                                                                              \
    X(REQUESTS, "requests")                                                                                            \
    X(SOURCES, "sources")                                                                                              \
    X(TAGS, "tags")                                                                                                    \
    X(SIZES, "sizes")                                                                                                  \
    X(ERROR, "error")                                                                                                  \
    X(R, "r")                                                                                                          \
    X(T, "t")                                                                                                          \
    X(D, "d")

/** Attributes that differ from call to call by their nature: in compact spelling they stand in `c`, never in
 * `hieraCall`, as do requests that are too far off to be told by their distance: X(name). */
#define HIERA_PER_CALL_ATTRIBUTES(X) X("message")

/** Arguments of OOPS methods that have an attribute of their own; others stand in `args`: X(name). */
#define HIERA_OOPS_ARGUMENTS(X)                                                                                        \
    X("root")                                                                                                          \
    X("color")                                                                                                         \
    X("key")                                                                                                           \
    X("count")                                                                                                         \
    X("op")                                                                                                            \
    X("dest")                                                                                                          \
    X("rem")                                                                                                           \
    X("tag")                                                                                                           \
    X("gsize")                                                                                                         \
    X("rows")                                                                                                          \
    X("cols")                                                                                                          \
    X("previous")                                                                                                      \
    X("next")

/** What an operation does to other ranks: X(identifier, name, collective). The third column is 1 where all members of
 * the communicator take part. Directions are those of the data, hence of the dependence. */
#define HIERA_KINDS(X)                                                                                                 \
    X(LOCAL, "local", 0)               /* touches no other rank */                                                     \
    X(SEND, "send", 0)                 /* `dest`, `tag`, `comm`; blocking or with `request` */                         \
    X(RECEIVE, "receive", 0)           /* `rem`, `tag`, `comm` */                                                      \
    X(SEND_RECEIVE, "send-receive", 0) /* `dest`, `stag` out, `rem`, `rtag` in */                                      \
    X(PROBE, "probe", 0)               /* looks at a message without taking it */                                      \
    X(START, "start", 0)               /* activates persistent or partitioned requests */                              \
    X(COMPLETE, "complete", 0)         /* waits for or tests `requests` */                                             \
    X(ALL_TO_ALL, "all-to-all", 1)     /* every member depends on every member */                                      \
    X(ONE_TO_ALL, "one-to-all", 1)     /* every member depends on `root` */                                            \
    X(ALL_TO_ONE, "all-to-one", 1)     /* `root` depends on every member */                                            \
    X(PREFIX, "prefix", 1)             /* every member depends on the lower ranks */                                   \
    X(GROUP, "group", 0)               /* all-to-all among the members of `newcomm` alone */                           \
    X(NEIGHBOR, "neighbor", 1)         /* members depend on their neighbours in the topology */                        \
    X(PUT, "put", 0)                   /* one-sided: data to `target_rank` */                                          \
    X(GET, "get", 0)                   /* one-sided: data from `target_rank` */                                        \
    X(UPDATE, "update", 0)             /* one-sided: data to `target_rank`, and what was there back */                 \
    X(EXPOSE, "expose", 0)             /* the window is open to the ranks of `group` … */                            \
    X(EXPOSE_END, "expose-end", 0)     /* … until all of them have ended their access */                             \
    X(ACCESS, "access", 0)             /* this rank may reach the windows of `group` … */                            \
    X(ACCESS_END, "access-end", 0)     /* … until here */                                                            \
    X(RMA, "rma", 0)                   /* one-sided, and the target takes no part: locks, flushes */                   \
    X(IO, "io", 0)                     /* a file, by this rank alone */                                                \
    X(IO_ALL, "io-all", 1)             /* a file, by all ranks that opened it; none need wait */

#endif
