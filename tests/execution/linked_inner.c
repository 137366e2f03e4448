/* The library of linked.c that is loaded last. */
#include "linked.h"
#include <stdlib.h>

int inner_variable = 31;
int inner_numbers[8] = {1, 2, 3, 37, 5, 6, 7, 8};
int *inner_middle = &inner_numbers[3];

__asm__(".symver inner_version_first, inner_version@FIRST");
__asm__(".symver inner_version_second, inner_version@@SECOND");
int inner_version_first(void);
int inner_version_second(void);

int twin(void)
{
    return 24; /* the other library's is first */
}

int overridden(void)
{
    return 13;
}

int inner_square(int number)
{
    return number * number;
}

int inner_twin(void)
{
    return twin();
}

int inner_overridden(void)
{
    return overridden();
}

int inner_constant(int i)
{
    static const int constants[] = {41, 43, 47, 53, 59};
    return constants[i];
}

int inner_text(int i)
{
    static const char *const texts[] = {"61", "67", "71"};
    return atoi(texts[i]);
}

static int plus_one(int number)
{
    return number + 1;
}

static int plus_two(int number)
{
    return number + 2;
}

int inner_table(int i, int number)
{
    static int (*const functions[])(int) = {plus_one, inner_square, plus_two};
    return functions[i](number);
}

int inner_choice(int i)
{
    switch (i) {
    case 0:
        return inner_square(3);
    case 1:
        return plus_one(70);
    case 2:
        return atoi("73");
    case 3:
        return inner_numbers[7] + 71;
    case 4:
        return inner_variable;
    case 5:
        return abs(i - 90);
    default:
        return 83;
    }
}

int inner_version_first(void)
{
    return 89;
}

int inner_version_second(void)
{
    return 97;
}
