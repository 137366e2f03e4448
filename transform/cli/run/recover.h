/* --recover: complete the traces of ranks that were killed. */
#pragma once

/* Replace this process by hiera-recover, a program of the collector. @return the exit status if that fails */
int recover_run(const char *folder);
