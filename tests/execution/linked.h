/* What the libraries of linked.c have. */
#ifndef HIERA_TEST_LINKED_H
#define HIERA_TEST_LINKED_H

#include <mpi.h>

int overridden(void);
int twin(void);

/* linked_outer.c */
int outer_sum(int a, int b);
int outer_chain(int n);
int outer_variable(void);
int outer_call(int (*function)(int), int number);
int outer_weak(void);
int outer_new(void);
/* Tell the number of the last rank to all. */
int outer_tell(MPI_Comm communicator, int number);

/* linked_inner.c */
extern int inner_variable, inner_numbers[8];
extern int *inner_middle;
int inner_square(int number);
int inner_twin(void);
int inner_overridden(void);
int inner_constant(int i);
int inner_text(int i);
int inner_table(int i, int number);
int inner_choice(int i);
int inner_version(void);

#endif
