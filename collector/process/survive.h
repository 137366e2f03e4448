/* HIERA_SURVIVE: what is recorded survives the process, if it is killed (memory/kept_memory.h). */
#ifndef HIERA_SURVIVE_H
#define HIERA_SURVIVE_H

/* Before the first record of the process, and before MPI is asked for anything that records name. */
void hiera_survive_begin(void);

/* In a child of fork, which begins anew. */
void hiera_survive_renew(void);

/* The rank and the folder of the traces are known. */
void hiera_survive_join(void);

/* Say once in a job why nothing survives, if that was asked for. */
void hiera_survive_complain(void);

#endif
