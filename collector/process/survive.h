/* HIERA_SURVIVE: the records of a process survive if the process is killed (memory/kept_memory.h). */
#pragma once

/* Put all state that is made from now on into memory that survives. Called before there are records or facts. */
void hiera_survive_begin(void);

/* In a child of fork: forget the parent's memory, so that hiera_survive_begin() begins anew. */
void hiera_survive_renew(void);

/* Store rank, job and trace file where hiera-recover finds them. Called when these are known. */
void hiera_survive_join(void);

/* Print, once in a job, why nothing survives a kill, if the user has asked for it to survive. */
void hiera_survive_complain(void);
