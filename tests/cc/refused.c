#include "assertion_in_header.h"
struct { int bits : 3; double values[3]; } group;
#define BITS group.bits
#define PRODUCT (a * b)
#define MARKED _Pragma("hiera assert MPITime < 2")
int call(void);
#pragma hiera assert MPITime < 1
int expectations(int a, int b, int *pointer)
{
    register int quick = 1;
    int iters = 0;
#pragma hiera assert $itrs > 0
    { }
#pragma hiera assert $nothing_like_it > 0
    { }
#pragma hiera assert MPITim / WallTime < 0.2
    { }
#pragma hiera assert MPITime / WallTime < 0.2 & \
   $a > $PRODUCT
    { }
#pragma hiera assert $quick > 0
    { }
#pragma hiera assert $BITS > 0
    { }
#pragma hiera assert $pointer > 0
    { }
#pragma hiera assert $group > 0
    { }
#pragma hiera assert $call > 0
    { }
#pragma hiera asert $a > 0
    { }
#pragma hiera assert
    { }
#pragma hiera assert MPITime + 1
    { }
    return iters + quick + *pointer;
}
int places(int a, int b)
{
#pragma hiera assert MPITime < 3
    a = b;
#pragma hiera assert MPITime < 4
    if (a) { }
    switch (a) {
#pragma hiera assert MPITime < 6
    {
    case 1: b++;
    }
    }
    goto in;
#pragma hiera assert MPITime < 7
    {
       in: b++;
    }
    MARKED
    { }
#pragma perfAssertion MPITime +
    { }
#pragma perfAssertion MPITime < 8
    a = b;
#pragma omp parallel for
#pragma hiera assert MPITime < 9
    for (int i = 0; i < 3; i++) { }
    a = ({
#pragma hiera assert nMPIProcesses($a) < 1
        { b; }
        1;
    });
    a = (
#pragma hiera assert MPITime < 10
    { b; });
    return a;
}
void left_by_a_jump(void)
{
    static void *label = &&computed;
#pragma hiera assert MPITime < 11
    {
    computed:
        goto *label;
    }
#pragma hiera assert MPITime < 12
    for (;;)
        __asm__ volatile goto("" : : : : leave);
leave:
    return;
    {
#pragma hiera assert MPITime < 13
    }
}
