/* --recover: complete the traces of ranks that were killed. */
#ifndef HIERA_RECOVER_OPTION_H
#define HIERA_RECOVER_OPTION_H

/* Replace this process by hiera-recover, a program of the collector. @return the exit status if that fails */
int recover_run(const char *folder);

#endif
