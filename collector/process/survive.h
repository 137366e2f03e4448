/* HIERA_SURVIVE: records survive the process if it is killed (memory/kept_memory.h). */
#pragma once

/* Called before the first record of the process, and before MPI is asked for anything that records refer to. */
void hiera_survive_begin(void);

/* Called in a child of fork, which begins anew. */
void hiera_survive_renew(void);

/* Called when the rank and the folder of the traces are known. */
void hiera_survive_join(void);

/* Print once in a job why nothing survives, if that was asked for. */
void hiera_survive_complain(void);
