/* Another program in the place of this one: the family of execve. */
#ifndef HIERA_EXEC_HOOKS_H
#define HIERA_EXEC_HOOKS_H

/* Look up what comes behind our execve and its like. */
void hiera_exec_load(void);

#endif
