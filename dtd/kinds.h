/* Kinds of operations, by the ranks on which an operation depends. Apart from the other names (names.h), since all that
 * looks at a trace in memory knows them. */
#ifndef HIERA_KINDS_H
#define HIERA_KINDS_H

/** Kinds of operations: X(identifier, name, collective). A kind says from which ranks data flows to which. collective
 * is 1 if all members of the communicator take part. */
#define HIERA_KINDS(X)                                                                                                 \
    X(LOCAL, "local", 0)               /* depends on no other rank */                                                  \
    X(SEND, "send", 0)                 /* sends by `dest`, `tag`, `comm`; blocking or with `request` */                \
    X(RECEIVE, "receive", 0)           /* receives by `rem`, `tag`, `comm` */                                          \
    X(SEND_RECEIVE, "send-receive", 0) /* sends by `dest`, `stag`, receives by `rem`, `rtag` */                        \
    X(PROBE, "probe", 0)               /* looks at a message without receiving it */                                   \
    X(START, "start", 0)               /* starts persistent or partitioned requests */                                 \
    X(COMPLETE, "complete", 0)         /* waits for or tests `requests` */                                             \
    X(ALL_TO_ALL, "all-to-all", 1)     /* every member depends on every member */                                      \
    X(ONE_TO_ALL, "one-to-all", 1)     /* every member depends on `root` */                                            \
    X(ALL_TO_ONE, "all-to-one", 1)     /* `root` depends on every member */                                            \
    X(PREFIX, "prefix", 1)             /* every member depends on the lower ranks */                                   \
    X(GROUP, "group", 0)               /* all-to-all, but only among the members of `newcomm` */                       \
    X(NEIGHBOR, "neighbor", 1)         /* members depend on their neighbours in the topology */                        \
    X(PUT, "put", 0)                   /* one-sided: writes to `target_rank` */                                        \
    X(GET, "get", 0)                   /* one-sided: reads from `target_rank` */                                       \
    X(UPDATE, "update", 0)             /* one-sided: changes data at `target_rank`, reads the old */                   \
    X(EXPOSE, "expose", 0)             /* opens the own window to the ranks of `group` */                              \
    X(EXPOSE_END, "expose-end", 0)     /* waits until the ranks of `group` have ended their access */                  \
    X(ACCESS, "access", 0)             /* begins access to the windows of the ranks of `group` */                      \
    X(ACCESS_END, "access-end", 0)     /* ends access to the windows of the ranks of `group` */                        \
    X(RMA, "rma", 0)                   /* one-sided, target takes no part: locks, flushes */                           \
    X(IO, "io", 0)                     /* file access by this rank only */                                             \
    X(IO_ALL, "io-all", 1)             /* file access by all ranks that opened the file; none has to wait */

#endif
