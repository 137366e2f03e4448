#include "constants.h"
#include <stdio.h>
#define SUM grid.sum
enum { FOUR = 4 };
static struct { int n; double sum; } grid;

static int whole(int n)
#pragma hiera assert $n > 0 /* a comment */ & WallTime > 0 // and another one
{
    n += 5;
    return n * 2;
}

#define EACH(i, n) for (int i = 0; i < n; i++)

static void jumps(void)
{
    int i = 0;
again:
#pragma perfAssertion $i < 9
    {
        if (++i < 3)
            goto again;
        goto out;
    }
out:
    for (i = 0; i < 3; i++)
#pragma hiera assert calls("send") == 0 & "?\"" == "?\""
    {
        if (i == 0)
            continue;
        if (i == 1)
            break;
    }
    switch (i) {
    case 1:
#pragma hiera assert $i == 1
    {
        switch (i) {
        case 1: break;
        }
        break;
    }
    default: i = 7;
    }
    static void *const targets[] = {&&end};
    goto *targets[0];
end:;
}

int main(void)
{
    double x = 1;
#pragma hiera assert MPITime / WallTime < 0.2 & \
    $x > $TEN & $SUM >= 0 & \
    $FOUR == 4
#pragma perfAssertion $TEN == 10
    for (int i = 0; i < 3; i++)
        if (i == 1)
            x += whole(i);
        else
            x++;
    if (x > 2)
#pragma hiera assert $x > 1
    { grid.n = 7; grid.sum = 0.5; }
    else
#pragma hiera assert $x > 1
        do x--; while (x > 0);
#if 0
#pragma hiera assert this is not looked at
#endif
#pragma hiera assert $x > 2
#pragma GCC unroll 4
    EACH(i, 3)
        x++;
#pragma hiera assert $x > 3
#pragma omp parallel for reduction(+ : x)
    EACH(i, 3) { x++; }
#define BLOCK { x = -x; }
#pragma hiera assert $x < 4 & UserTime >= 0
    BLOCK
    jumps();
    printf("%s:%d\n", __FILE__, __LINE__);
    return 0;
}
