/* The reasons of a hieraLost that reports no lost call. Contract between the collector, which writes it, and the
 * transform, which reports it, and leaves answers as they are. */
#ifndef HIERA_DTD_LOST_H
#define HIERA_DTD_LOST_H

/* There may be some, and nothing can say whether. */
#define HIERA_LOST_UNSEEN                                                                                              \
    "calls of the program by PMPI names would not be seen: MPI is a part of it, and nothing says if it makes any"
/* A colon and why stand behind it. */
#define HIERA_LOST_UNWATCHED "HIERA_CHECK=buffers: what the program itself does with memory of MPI calls is not seen"

#endif
