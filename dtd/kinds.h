/* Kinds of operations, by the ranks on which an operation depends. Apart from the other names (names.h), since all that
 * looks at a trace in memory knows them. */
#ifndef HIERA_KINDS_H
#define HIERA_KINDS_H

/** Kinds of operations: X(identifier, name, collective). A kind says from which ranks data flows to which. collective
 * is 1 if all members of the communicator take part. */
#define HIERA_KINDS(X)                                                                                                 \
    X(LOCAL, "local", 0)               /* concerns no other rank */                                                    \
    X(SEND, "send", 0)                 /* `dest`, `tag`, `comm`; blocking or with `request` */                         \
    X(RECEIVE, "receive", 0)           /* `rem`, `tag`, `comm` */                                                      \
    X(SEND_RECEIVE, "send-receive", 0) /* `dest`, `stag` out, `rem`, `rtag` in */                                      \
    X(PROBE, "probe", 0)               /* looks at a message without receiving it */                                   \
    X(START, "start", 0)               /* activates persistent or partitioned requests */                              \
    X(COMPLETE, "complete", 0)         /* waits for or tests `requests` */                                             \
    X(ALL_TO_ALL, "all-to-all", 1)     /* every member depends on every member */                                      \
    X(ONE_TO_ALL, "one-to-all", 1)     /* every member depends on `root` */                                            \
    X(ALL_TO_ONE, "all-to-one", 1)     /* `root` depends on every member */                                            \
    X(PREFIX, "prefix", 1)             /* every member depends on the lower ranks */                                   \
    X(GROUP, "group", 0)               /* all-to-all among the members of `newcomm` only */                            \
    X(NEIGHBOR, "neighbor", 1)         /* members depend on their neighbours in the topology */                        \
    X(PUT, "put", 0)                   /* one-sided: data to `target_rank` */                                          \
    X(GET, "get", 0)                   /* one-sided: data from `target_rank` */                                        \
    X(UPDATE, "update", 0)             /* one-sided: data to `target_rank`, and the old data back */                   \
    X(EXPOSE, "expose", 0)             /* the window is open to the ranks of `group` … */                            \
    X(EXPOSE_END, "expose-end", 0)     /* … until all of them have ended their access */                             \
    X(ACCESS, "access", 0)             /* this rank may reach the windows of `group` … */                            \
    X(ACCESS_END, "access-end", 0)     /* … until here */                                                            \
    X(RMA, "rma", 0)                   /* one-sided without participation of the target: locks, flushes */             \
    X(IO, "io", 0)                     /* file access by this rank only */                                             \
    X(IO_ALL, "io-all", 1)             /* file access by all ranks that opened the file; none need wait */

#endif
