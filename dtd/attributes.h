/* Types of the attributes of operations, and of the processor, which expressions can ask for. Those of arguments of MPI
 * are HIERA_ARGUMENTS in the generated operations.h; what stands in neither list is a text. */
#ifndef HIERA_DTD_ATTRIBUTES_H
#define HIERA_DTD_ATTRIBUTES_H

/** X(name, type). NUMBER: a number; RANK: a number or a word of MPI, such as MPI_PROC_NULL; SECONDS: a time. */
#define HIERA_TYPED_ATTRIBUTES(X)                                                                                      \
    X("bytes", NUMBER)                                                                                                 \
    X("rbytes", NUMBER)                                                                                                \
    X("line", NUMBER)                                                                                                  \
    X("left", NUMBER)                                                                                                  \
    X("gsize", NUMBER)                                                                                                 \
    X("rows", NUMBER)                                                                                                  \
    X("cols", NUMBER)                                                                                                  \
    X("previous", NUMBER)                                                                                              \
    X("next", NUMBER)                                                                                                  \
    X("pid", NUMBER)                                                                                                   \
    X("init", SECONDS)                                                                                                 \
    X("finalize", SECONDS)                                                                                             \
    X("since", SECONDS)                                                                                                \
    X("clock_error", SECONDS)

#endif
