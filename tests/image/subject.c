/* Functions with known loops. The comment above a function names its loops as test_image.py expects them: "loop", with
 * the loops inside it in parentheses. */
void exit(int status) __attribute__((noreturn)); /* without headers: it is compiled for other machines, too */

#define KEEP __attribute__((noinline, used))

volatile int sink;

KEEP int step(int i)
{
    sink += i;
    return sink;
}

/* loops: */
KEEP int straight(int i)
{
    return i > 3 ? step(i) + 1 : 2;
}

/* loops: loop */
KEEP int single(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += step(i);
    return sum;
}

/* loops: loop(loop(loop)) loop */
KEEP int nested(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                sum += step(k);
            step(sum);
        }
        step(i);
    }
    for (int i = 0; i < n; i++)
        step(sum + i);
    return sum;
}

/* Two jumps back to one header, and two ways out. loops: loop */
KEEP int back_twice(int n)
{
    int i = 0;
again:
    i = step(i);
    if (i < n)
        goto again;
    step(7);
    if (sink & 1)
        goto again;
    return i;
}

/* loops: loop */
KEEP int exits(int n)
{
    for (int i = 0; i < n; i++) {
        if (step(i) == 3)
            return 1;
        if (step(n) == 4)
            break;
        if (step(n + i) == 5)
            goto out;
    }
    step(8);
    return 2;
out:
    step(9);
    return 3;
}

/* loops: irreducible */
KEEP int enters(int n)
{
    int i = 0;
    if (step(n) == 1)
        goto inside;
    step(2);
    for (;;) {
        i = step(1);
        if (i == 3)
            return i;
        step(2);
    inside:
        i = step(3);
        if (i > n)
            return step(4);
    }
}

/* loops: loop */
KEEP int switches(const char *text, int n)
{
    for (int i = 0; i < n; i++) {
        switch (text[i]) {
        case 'a':
            step(1);
            break;
        case 'b':
            sink += step(2) * n;
            break;
        case 'c':
            step(sink);
            continue;
        case 'd':
            sink--;
            step(9);
            break;
        case 'e':
            sink *= step(i);
            break;
        case 'f':
            return step(5);
        case 'g':
            step(step(6));
            break;
        default:
            sink ^= 8;
            step(10);
        }
        step(n);
    }
    return sink;
}

/* loops: loop */
KEEP int at_least_once(int n)
{
    do
        n = step(n);
    while (n < 100);
    return n;
}

KEEP void give_up(int status)
{
    step(status);
    exit(status);
}

/* What comes behind give_up() is not part of a loop. loops: loop */
KEEP int never_returns(int n)
{
    for (int i = 0; i < n; i++)
        if (step(i) < 0)
            give_up(i);
    return n;
}

/* loops: */
KEEP int ends_in_call(int n)
{
    step(n);
    return single(n + 1);
}

/* loops: loop */
KEEP int forever(int n)
{
    for (;;)
        n = step(n);
}

static inline __attribute__((always_inline)) int sum_of(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += step(i);
    return sum;
}

/* The inner loop is that of sum_of(). loops: loop(loop) */
KEEP int inlined(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        step(i);
        sum ^= sum_of(i);
    }
    return sum;
}

int main(int argc, char **argv)
{
    int sum = straight(argc) + single(argc) + nested(argc) + exits(argc) + switches(argv[0], 3) + at_least_once(argc) +
              inlined(argc);
    if (argc > 5)
        sum += back_twice(argc) + enters(argc) + never_returns(argc) + ends_in_call(argc);
    if (argc > 9)
        forever(argc);
    return sum == 1;
}
