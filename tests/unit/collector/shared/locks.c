/* Locks between ranks: who ends gives them back, and who waits gets them. */
#include "shared.h"

#include "probing/shared/owner.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void lock_key(void *key)
{
    CHECK(hiera_shared_globals.lock(NULL, key, strlen(key)) == HIERA_PROBE_DONE);
}

static void lock_in_vain(void *key)
{
    double begin = seconds();
    CHECK(hiera_shared_globals.lock(NULL, key, strlen(key)) == HIERA_PROBE_TIMED_OUT);
    hiera_shared_globals.unlock(NULL, key, strlen(key)); /* is not its own */
    CHECK(seconds() - begin > 0.39 && seconds() - begin < 4);
}

static void a_dead_process_frees_its_locks(void)
{
    char key[] = "key";
    in_child(lock_key, key);
    CHECK(take_lock(key));
    in_child(lock_in_vain, key);
    give_lock(key);
    in_child(lock_key, key);
    CHECK(take_lock(key));
    give_lock(key);
    n_messages = 0;
    hiera_globals_report(script);
    hiera_globals_report(script);
    CHECK(n_messages == 1 && strstr(last_message, "global_lock"));
}

/* A zombie has its number still, and another thread may have that of one that has ended. */
static void a_zombie_frees_its_locks(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        CHECK(take_lock("zombie"));
        raise(SIGKILL);
    }
    siginfo_t info;
    CHECK(pid > 0 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0 && kill(pid, 0) == 0);
    double begin = seconds();
    CHECK(take_lock("zombie") && seconds() - begin < 0.3);
    give_lock("zombie");
    waitpid(pid, NULL, 0);
    HieraOwner here = hiera_owner_here(), before = {here.process, here.thread, here.born - 1},
               nobody = {here.process, 1 << 30, 1};
    CHECK(here.born > 0 && !hiera_owner_is_dead(&here) && hiera_owner_is_dead(&before) && hiera_owner_is_dead(&nobody));
}

/* Who gives a lock back and wants it again comes behind who waits. Of twenty times, since who waits may not run just
 * then. */
static void who_waits_is_next(void)
{
    unsigned n = 0;
    for (int i = 0; i < 20; i++) {
        int to[2];
        char byte;
        CHECK(pipe2(to, O_NONBLOCK) == 0 && take_lock("turn"));
        pid_t pid = fork();
        if (pid == 0) {
            CHECK(write(to[1], "a", 1) == 1 && take_lock("turn") && write(to[1], "b", 1) == 1);
            give_lock("turn");
            _exit(0);
        }
        while (read(to[0], &byte, 1) != 1)
            usleep(100);
        usleep(2000);
        give_lock("turn");
        CHECK(take_lock("turn"));
        n += read(to[0], &byte, 1) == 1;
        give_lock("turn");
        waitpid(pid, NULL, 0);
        close(to[0]);
        close(to[1]);
    }
    CHECK(n >= 5);
}

void test_locks(void)
{
    a_dead_process_frees_its_locks();
    a_zombie_frees_its_locks();
    who_waits_is_next();
}
