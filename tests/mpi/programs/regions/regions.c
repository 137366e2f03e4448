/* Regions, with the expectations of expect.h: nesting, levels, arguments, scopes, odd strings, pauses, unmatched
 * ends. */
#include <hiera.h>

#include "expect.h"
#include "unseen.h"

#include <stdbool.h>

/* Opens a region, and tells expect.h. */
#define BEGIN(...) (hiera_begin(__VA_ARGS__), expect_depth++)
#define END()      (hiera_end(), expect_depth--)

static void call(void)
{
    EXPECT("barrier", "comm=MPI_COMM_WORLD");
    MPI_Barrier(MPI_COMM_WORLD);
}

static int scope(int n)
{
    EXPECT_REGION("scope", "level=solver args='n=%d'", n);
    HIERA_REGION("solver", "scope", "n=%d", n);
    expect_depth++;
    for (int i = 0; i < n; i++) {
        EXPECT_REGION("inner", "level=app");
        HIERA_REGION(NULL, "inner", NULL);
        expect_depth++;
        if (i == 1) {
            call();
            expect_depth -= 2;
            return i;
        }
        expect_depth--;
    }
    expect_depth--;
    return 0;
}

static void nested(void)
{
    EXPECT_REGION("outer", "level=app args='step=3 of=10'");
    BEGIN("app", "outer", "step=%d of=%d", 3, 10);
    call();
    expect("hieraOOPS", __FILE__, __LINE__ + 1, "", "class=Grid method=bcast");
    BEGIN("oops", "Grid::bcast", NULL);
    call();
    END();
    scope(0);
    scope(3);
    call();
    END();
}

/* A method of a framework: its line is that of its caller; calls inside have their own lines. */
__attribute__((noinline)) static void method(int root)
{
    HIERA_CALL("oops", "TopologyGrid::bcast", "root=%d", root);
    expect_depth++;
    call();
    expect_depth--;
}

static void framework(void)
{
    static const char *const line = "class=TopologyGrid method=bcast root=%d";
    expect("hieraOOPS", __FILE__, __LINE__ + 1, "", line, 3);
    method(3);
    expect("hieraOOPS", __FILE__, __LINE__ + 1, "", line, 4);
    method(4);
}

/* The same call site at every depth of the tree, mostly without children: then only the times differ. */
__attribute__((noinline)) static void touch(int i)
{
    HIERA_CALL(i % 3 == 1 ? "oops" : "app", "Grid::touch", i % 7 == 0 ? "i=%d" : NULL, 3);
    if (i % 11 == 0) {
        expect_depth++;
        call();
        expect_depth--;
    }
}

static void leaves(int depth)
{
    enum { TIMES = 150 };
    EXPECT_REGION("leaves", "level=app");
    BEGIN("app", "leaves", NULL);
    for (int i = 0; i < TIMES; i++) {
        const char *args = i % 7 == 0 ? " args='i=3'" : "";
        if (i % 3 == 1)
            expect("hieraOOPS", __FILE__, __LINE__ + 3, "", "class=Grid method=touch%s", args);
        else
            expect("hieraRegion", __FILE__, __LINE__ + 1, "Grid::touch", "level=app%s", args);
        touch(i);
        if (i == TIMES / 2 && depth > 0)
            leaves(depth - 1);
    }
    END();
}

static void strings(void)
{
    static char long_name[5000], long_args[5000];
    memset(long_name, 'n', sizeof long_name - 1);
    memset(long_args, 'a', sizeof long_args - 1);
    EXPECT_REGION("<a> & \"b\"", "level='l<e>v&el' args='x=<1> & \"2\"'");
    BEGIN("l<e>v&el", "<a> & \"b\"", "x=%s", "<1> & \"2\"");
    END();
    EXPECT_REGION("line\\nbreak\\ttab", "level=app args='a=\\r'");
    BEGIN("app", "line\nbreak\ttab", "a=%s", "\r");
    END();
    EXPECT_REGION("\xef\xbf\xbd\xef\xbf\xbdx\xef\xbf\xbd", "level=app args='a=\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbd'");
    BEGIN("app", "\x01\x1bx\xfe", "a=%s", "\xc3\xa9\xf0\x9f\x98\x80\xff");
    END();
    EXPECT_REGION("", "level='' ");
    BEGIN("", "", NULL);
    END();
    EXPECT_REGION("", "level=app");
    BEGIN(NULL, NULL, "%s", "");
    END();
    long_name[1023] = long_args[1023] = '\0';
    EXPECT_REGION("*", "level=app args='%s'", long_args);
    long_name[1023] = 'n', long_args[1023] = 'a', BEGIN("app", long_name, "%s", long_args);
    END();
}

/* Constants and texts that change where they are, in turns at one call site. */
static void texts(void)
{
    char name[8], level[8];
    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "n%d", i % 7);
        snprintf(level, sizeof level, "l%d", i % 4);
        const char *levels[] = {"app", "solver", level}, *names[] = {"constant", name, "another", "constant"};
        EXPECT_REGION(names[i / 3 % 4], "level=%s", levels[i % 3]);
        BEGIN(levels[i % 3], names[i / 3 % 4], NULL);
        END();
    }
}

static void paused(void)
{
    call();
    EXPECT_REGION("over the pause", "level=app");
    BEGIN("app", "over the pause", NULL);
    hiera_pause();
    MPI_Barrier(MPI_COMM_WORLD);
    hiera_begin("app", "not seen", NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    hiera_end();
    hiera_pause();
    hiera_resume();
    MPI_Barrier(MPI_COMM_WORLD);
    hiera_begin("app", "begun in the pause", NULL);
    hiera_resume();
    call();
    hiera_end();
    call();
    END();
    hiera_resume(); /* one more than there are pauses */
    call();
    EXPECT("pcontrol", "profiling=0");
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    call();
}

static void deep(int n)
{
    for (int i = 0; i < n; i++) {
        EXPECT_REGION("deep", "level=app args='i=%d'", i);
        BEGIN("app", "deep", "i=%d", i);
    }
    call();
    for (int i = 0; i < n; i++)
        END();
}

int main(int argc, char **argv)
{
    int rank, n = argc > 1 ? atoi(argv[1]) : 100;
    EXPECT_REGION("before MPI", "level=app");
    BEGIN("app", "before MPI", NULL);
    END();
    EXPECT_REGION("whole program", "level=app");
    BEGIN("app", "whole program", NULL);
    EXPECT("init", "argc=%d argv=*", argc);
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    nested();
    framework();
    leaves(20);
    strings();
    texts();
    paused();
    deep(n);
    END();
    hiera_end(); /* three ends without a begin */
    hiera_end();
    hiera_end();
    EXPECT_REGION("after the odd ends", "level=app");
    BEGIN("app", "after the odd ends", NULL);
    EXPECT("finalize", " ");
    MPI_Finalize();
    EXPECT_REGION("after MPI", "level=app");
    BEGIN("app", "after MPI", NULL);
    END();
    EXPECT_REGION("never ended", "level=app");
    BEGIN("app", "never ended", NULL);
    expect_write(rank);
    return 0;
}
