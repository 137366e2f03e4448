/* A program that uses everything in hiera.h. It uses no MPI, and no library of Hiera. */
#include <hiera.h>

#include <stddef.h>
#include <stdio.h>

static int work(int n)
{
    HIERA_REGION("app", "scope", "n=%d", n);
    hiera_begin("app", "work", NULL);
    hiera_begin_at(HIERA_CALLER(), "app", "left", NULL);
    hiera_end_of("work");
    return n;
}

static int method(int n)
{
    HIERA_CALL("oops", "Grid::method", NULL);
    return work(n);
}

int main(void)
{
    char scope;
    hiera_pause();
    hiera_resume();
    hiera_begin(NULL, "main", NULL);
    hiera_open_scope(&scope, NULL, "app", "by hand", "%s", "a=1");
    hiera_close_scope(&scope);
    hiera_end();
    printf("%d\n", method(2));
    return 0;
}
