/* --recover: complete the traces of ranks that were killed. */
#pragma once

/* Replace this process by the program hiera-recover. @return the exit status if it cannot be started */
int recover_run(const char *folder);
