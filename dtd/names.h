/* Names of elements and attributes in a trace: written by the collector, read by the analyser. Kinds are in kinds.h.
 *
 * Each list is an X-macro, so that an enumeration, a table of strings and a test come from the same rows. Names of MPI
 * operations and their kinds are in collector/mpi/generate/functions.table, and reach both halves as the generated
 * operations.h.
 */
#ifndef HIERA_NAMES_H
#define HIERA_NAMES_H

/** Version of the trace format: value of the attribute `format` of the element `processor`. */
#define HIERA_TRACE_FORMAT "1"

/** Begin of a trace, before the root element. A browser that knows the registered type of XSLT applies visual.xsl where
 * it may load it; the others apply visual.css. With the type text/xsl Chromium shows an empty page for a trace on disk.
 */
#define HIERA_TRACE_XML     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define HIERA_TRACE_DOCTYPE "<!DOCTYPE processor SYSTEM \"trace.dtd\">\n"
#define HIERA_TRACE_STYLES                                                                                             \
    "<?xml-stylesheet type=\"application/xslt+xml\" href=\"visual.xsl\"?>"                                             \
    "<?xml-stylesheet type=\"text/css\" href=\"visual.css\"?>\n"
#define HIERA_TRACE_PROLOGUE HIERA_TRACE_XML HIERA_TRACE_DOCTYPE HIERA_TRACE_STYLES

/** Files beside the traces, for their grammar and display: X(file name, identifier of the file's text). */
#define HIERA_COMPANIONS(X)                                                                                            \
    X("trace.dtd", trace_dtd)                                                                                          \
    X("hieraCollector.dtd", hieraCollector_dtd)                                                                        \
    X("visual.xsl", visual_xsl)                                                                                        \
    X("visual.css", visual_css)

/** In the compact encoding: greatest distance, from the last started request, by which a request is written. */
#define HIERA_REQUEST_FARTHEST 4096

/** Threads that were not recorded are spoken of if they used more than this share of the processor time of their
 * process, in 0.01 %, and more than so many nanoseconds: the clocks are read one after the other. */
#define HIERA_UNRECORDED_SHARE 200
#define HIERA_UNRECORDED_NS    1000000

/** Elements of a trace: X(identifier, name). */
#define HIERA_ELEMENTS(X)                                                                                              \
    X(PROCESSOR, "processor")          /* root element: the trace of one rank */                                       \
    X(MPI, "hieraMPI")                 /* an MPI call */                                                               \
    X(OOPS, "hieraOOPS")               /* a method of the OOPS framework */                                            \
    X(REGION, "hieraRegion")           /* an operation of any level other than mpi and oops */                         \
    X(COMM, "hieraComm")               /* declares a communicator */                                                   \
    X(GROUP, "hieraGroup")             /* declares a group */                                                          \
    X(TYPE, "hieraType")               /* declares a datatype */                                                       \
    X(OBJECT, "hieraObject")           /* declares a program or library that has call sites without a line */          \
    X(FILTERED, "hieraFiltered")       /* totals of operations that were not recorded */                               \
    X(ASSERTION, "hieraAssertion")     /* the assertion of the enclosing region, and its values */                     \
    X(COUNTER, "hieraCounter")         /* declares a counter of the traced regions */                                  \
    X(COUNTED, "hieraCounted")         /* what counters have counted during the enclosing region */                    \
    X(SPREAD, "hieraSpread")           /* in sums of calls: how durations or bytes are distributed */                  \
    X(PART, "hieraPart")               /* in sums of calls: the calls with one communicator and peer */                \
    X(WAIT, "hieraWait")               /* in sums of calls: how long the calls waited */                               \
    X(SEAM, "hieraSeam")               /* marks where single operations end; only sums follow */                       \
    X(TURNS, "hieraTurns")             /* sums of calls that repeat in the iterations of a loop */                     \
    X(AGGREGATION, "hieraAggregation") /* a line of the results of a probe script */                                   \
    X(SAMPLES, "hieraSamples")         /* samples of one thread, at intervals of its CPU time */                       \
    X(SAMPLED, "hieraSampled")         /* samples in a region or call */                                               \
    X(SAMPLE, "hieraSample")           /* samples at an address of machine code, in hieraSampled */                    \
    X(LOOPS, "hieraLoops")             /* measured times of functions and loops */                                     \
    X(TIMED, "hieraTimed")             /* times of a function, in hieraLoops */                                        \
    X(TIMED_LOOP, "hieraTimedLoop")    /* times of a loop of a function, in hieraTimed */                              \
    X(UNTIMED, "hieraUntimed")         /* a function that could not be timed, in hieraLoops */                         \
    X(BEFORE, "hieraBefore")           /* in a trace of the last part of a run: what was before */                     \
    X(CHANNEL, "hieraChannel")         /* number of earlier messages or collectives on a channel */                    \
    X(SINCE, "hieraSince")             /* mark: operations behind it began in the traced part */                       \
    X(CALL, "hieraCall")               /* compact encoding: declares attributes that calls share */                    \
    X(USE, "c")                        /* compact encoding: a call that refers to a hieraCall */                       \
    X(BODY, "hieraBody")               /* declares the repeated calls of a loop */                                     \
    X(PLACE, "p")                      /* a call in a hieraBody */                                                     \
    X(LOOP, "hieraLoop")               /* iterations of a hieraBody: their number and times */                         \
    X(VARY, "hieraVary")               /* calls of a hieraLoop that differ from the expected ones */                   \
    X(THREAD, "hieraThread")           /* operations of a thread other than the main thread */                         \
    X(FLUSH, "hieraFlush")             /* time that the collector spent on its own work */                             \
    X(LOST, "hieraLost")               /* number of operations that could not be recorded */                           \
    X(PAUSE, "hieraPause")             /* time in which recording was switched off */                                  \
    X(UNBALANCED, "hieraUnbalanced")   /* begins and ends of regions that do not match */                              \
    X(USAGE, "hieraUsage")             /* threads of the process, and their processor time */                          \
    X(END, "hieraEnd")                 /* how the process ended, if not normally */

/** Attributes that the reader interprets: X(identifier, name). Other arguments of MPI calls are only in
 * functions.table. */
#define HIERA_ATTRIBUTES(X)                                                                                            \
    X(RANK, "rank")                                                                                                    \
    X(INIT, "init")                                                                                                    \
    X(FINALIZE, "finalize")                                                                                            \
    X(SIZE, "size")                                                                                                    \
    X(APPLICATION, "application")                                                                                      \
    X(JOB, "job")                                                                                                      \
    X(HOST, "host")                                                                                                    \
    X(PID, "pid")                                                                                                      \
    X(PROCESS, "process")                                                                                              \
    X(FORMAT, "format")                                                                                                \
    X(CLOCK, "clock")                                                                                                  \
    X(CLOCK_ERROR, "clock_error")                                                                                      \
    X(CLOCK_OFFSET, "clock_offset")                                                                                    \
    X(CLOCK_DRIFT, "clock_drift")                                                                                      \
    X(PREDICTED, "predicted")                                                                                          \
    X(ID, "id")                                                                                                        \
    X(RANKS, "ranks")                                                                                                  \
    X(REMOTE, "remote")                                                                                                \
    X(NAME, "name")                                                                                                    \
    X(EXTENT, "extent")                                                                                                \
    X(SIGNATURE, "signature")                                                                                          \
    X(PATH, "path")                                                                                                    \
    X(BUILD, "build")                                                                                                  \
    X(NEIGHBORS_IN, "neighbors_in")                                                                                    \
    X(NEIGHBORS_OUT, "neighbors_out")                                                                                  \
    X(CAUSE, "cause")                                                                                                  \
    X(STACK, "stack")                                                                                                  \
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
    X(TYPE, "type")                                                                                                    \
    X(STYPE, "stype")                                                                                                  \
    X(STYPES, "stypes")                                                                                                \
    X(SCOUNTS, "scounts")                                                                                              \
    X(RCOUNT, "rcount")                                                                                                \
    X(RCOUNTS, "rcounts")                                                                                              \
    X(RTYPES, "rtypes")                                                                                                \
    X(ORIGIN_TYPE, "origin_type")                                                                                      \
    X(TARGET_TYPE, "target_type")                                                                                      \
    X(RTYPE, "rtype")                                                                                                  \
    X(ETYPE, "etype")                                                                                                  \
    X(FILETYPE, "filetype")                                                                                            \
    X(PARTITIONS, "partitions")                                                                                        \
    X(PAUSES, "pauses")                                                                                                \
    X(COMMUNICATOR, "comm")                                                                                            \
    X(NEWCOMM, "newcomm")                                                                                              \
    X(DIMS, "dims")                                                                                                    \
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
    X(FILE_NAME, "filename")                                                                                           \
    X(FILE_HANDLE, "fh")                                                                                               \
    X(GROUP, "group")                                                                                                  \
    X(LOCK_TYPE, "lock_type")                                                                                          \
    X(FLAG, "flag")                                                                                                    \
    X(BUFFERS, "buffers")                                                                                              \
    X(BYTES, "bytes")                                                                                                  \
    X(RBYTES, "rbytes")                                                                                                \
    X(MESSAGE, "message")                                                                                              \
    X(REQUEST, "request")                                                                                              \
    X(REQUESTS, "requests")                                                                                            \
    X(PENDING, "pending")                                                                                              \
    X(SOURCES, "sources")                                                                                              \
    X(TAGS, "tags")                                                                                                    \
    X(SIZES, "sizes")                                                                                                  \
    X(ERROR, "error")                                                                                                  \
    X(LEFT, "left")                                                                                                    \
    X(UNIT, "unit")                                                                                                    \
    X(KIND, "kind")                                                                                                    \
    X(VALUES, "values")                                                                                                \
    X(MODE, "mode")                                                                                                    \
    X(CALLS, "calls")                                                                                                  \
    X(MIN, "min")                                                                                                      \
    X(MAX, "max")                                                                                                      \
    X(OPEN, "open")                                                                                                    \
    X(OPEN_SINCE, "open_since")                                                                                        \
    X(FAILED, "failed")                                                                                                \
    X(MISSED, "missed")                                                                                                \
    X(OF, "of")                                                                                                        \
    X(BINS, "bins")                                                                                                    \
    X(PEER, "peer")                                                                                                    \
    X(EXCHANGE, "exchange")                                                                                            \
    X(WAY, "way")                                                                                                      \
    X(SAVED, "saved")                                                                                                  \
    X(SINCE, "since")                                                                                                  \
    X(PLACES, "places")                                                                                                \
    X(COMPLETE, "complete")                                                                                            \
    X(R, "r")                                                                                                          \
    X(T, "t")                                                                                                          \
    X(D, "d")                                                                                                          \
    X(BODY, "body")                                                                                                    \
    X(TURNS, "turns")                                                                                                  \
    X(FROM, "from")                                                                                                    \
    X(TO, "to")                                                                                                        \
    X(UNTIL, "end")                                                                                                    \
    X(TIMES, "times")                                                                                                  \
    X(THREAD, "thread")                                                                                                \
    X(SOURCE, "source")                                                                                                \
    X(PERIOD, "period")                                                                                                \
    X(PERIODS, "periods")                                                                                              \
    X(EVENT, "event")                                                                                                  \
    X(TIMED, "timed")                                                                                                  \
    X(OWN, "own")                                                                                                      \
    X(LONGEST, "longest")                                                                                              \
    X(UNCERTAINTY, "uncertainty")                                                                                      \
    X(OWN_UNCERTAINTY, "own_uncertainty")                                                                              \
    X(ESTIMATED, "estimated")                                                                                          \
    X(WATCHED, "watched")                                                                                              \
    X(INNER, "inner")                                                                                                  \
    X(THREADS, "threads")                                                                                              \
    X(UNRECORDED, "unrecorded")                                                                                        \
    X(RECORDED_TIME, "recorded_time")                                                                                  \
    X(CPUS, "cpus")                                                                                                    \
    X(QUEUED, "queued")                                                                                                \
    X(BY_THREAD, "by_thread")                                                                                          \
    X(OPENMP, "openmp")                                                                                                \
    X(LAST_LINE, "last_line")                                                                                          \
    X(ITERATIONS, "iterations")                                                                                        \
    X(EVALUATED, "evaluated")                                                                                          \
    X(IRREDUCIBLE, "irreducible")                                                                                      \
    X(PLACE, "place")                                                                                                  \
    X(AT, "at")                                                                                                        \
    X(BY, "by")

/** Attributes that differ in nearly every call: X(name). In the compact encoding they are always written in `c`, never
 * in `hieraCall`; the same holds for requests farther away than HIERA_REQUEST_FARTHEST. */
#define HIERA_PER_CALL_ATTRIBUTES(X) X("message")

/** Arguments of OOPS methods that are written as attributes: X(name). All other arguments are written into `args`. */
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

/** Values of ranks and tags that a trace writes by their names in MPI: X(kind, name, value in the analyser). */
#define HIERA_SPECIAL_VALUES(X)                                                                                        \
    X(RANK, MPI_PROC_NULL, HIERA_PROC_NULL)                                                                            \
    X(RANK, MPI_ANY_SOURCE, HIERA_ANY)                                                                                 \
    X(RANK, MPI_ROOT, HIERA_ROOT)                                                                                      \
    X(TAG, MPI_ANY_TAG, HIERA_ANY)

/** `operation` of a hieraSampled for threads without records, while the enclosing region was open in the main thread.
 */
#define HIERA_SAMPLED_OTHERS "(other threads)"

#endif
