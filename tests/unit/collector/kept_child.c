/* A child of fork makes memory that survives its parent its own, also if the parent has made more meanwhile. */
#include "base/life.h"
#include "memory/kept_memory.h"

#include "harness/plain.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 8192 };

int main(void)
{
    char folder[] = "/tmp/hiera-test-XXXXXX", byte;
    int may_go[2], status = -1;
    if (!mkdtemp(folder) || pipe(may_go) != 0)
        return 2;
    hiera_life.pid = getpid();
    EXPECT(1, hiera_kept_begin(folder, false, 1 << 20));
    char *before = hiera_kept_map(BYTES);
    before[0] = 1;
    pid_t child = fork();
    if (child == 0) {
        if (read(may_go[0], &byte, 1) != 1)
            _exit(2);
        hiera_kept_in_child();
        bool good = before[0] == 1;
        before[0] = 2;
        _exit(good ? 0 : 1);
    }
    char *after = hiera_kept_map(BYTES);
    after[0] = 3;
    EXPECT(1, write(may_go[1], "", 1));
    EXPECT(child, waitpid(child, &status, 0));
    EXPECT(0, status);
    EXPECT(1, before[0]);
    hiera_kept_end();
    EXPECT(0, rmdir(folder));
    return n_failed > 0;
}
