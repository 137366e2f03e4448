/* The MPI functions of walked.c. Nobody calls them. */
#define NAME(name)                                                                                                     \
    __attribute__((visibility("default"))) int name(void);                                                             \
    int name(void)                                                                                                     \
    {                                                                                                                  \
        return 0;                                                                                                      \
    }
NAME(MPI_Init)
NAME(MPI_Finalize)
NAME(MPI_Comm_rank)
NAME(MPI_Comm_size)
NAME(MPI_Send)
NAME(MPI_Recv)
NAME(MPI_Isend)
NAME(MPI_Irecv)
NAME(MPI_Waitall)
NAME(MPI_Allreduce)
NAME(MPI_Bcast)
