/* --recover: complete the traces of ranks that were killed. */
#pragma once

/* Replace this process by hiera-recover, which is a part of the collector. @return the exit status if that fails */
int recover_run(const char *folder);
