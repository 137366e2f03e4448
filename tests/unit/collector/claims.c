/* Claims of trace files: one process claims a trace while another asks who owns it. The question must not make the
 * claim fail: the owner would believe that another job has the file, and write to another folder. */
#include "../../../collector/folder/claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 5000, JOB = 77 };

static char dir[] = "/tmp/hiera-claims-XXXXXX", path[64];

int main(void)
{
    int *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), refused = 0;
    if (done == MAP_FAILED || !mkdtemp(dir))
        return 1;
    snprintf(path, sizeof path, "%s/trace0.xml", dir);
    pid_t other = fork();
    while (other == 0 && !__atomic_load_n(done, __ATOMIC_ACQUIRE))
        hiera_claim_is_of_other(path, JOB);
    if (other == 0)
        _exit(0);
    for (int i = 0; i < ROUNDS; i++) {
        refused += hiera_claim_trace(path) != 0;
        hiera_claim_drop();
        unlink(path);
    }
    __atomic_store_n(done, 1, __ATOMIC_RELEASE);
    waitpid(other, NULL, 0);
    rmdir(dir);
    if (refused > 0)
        fprintf(stderr, "refused %d of %d times\n", refused, ROUNDS);
    return refused > 0;
}
