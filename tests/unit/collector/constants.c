/* What is a constant of the program, and what is not. */
#include "base/constants.h"

#include "harness/plain.h"

#include <stdlib.h>

static char variable[] = "variable", nothing[8];
static const char *const pointers[] = {"one", "two"}; /* adjusted when the program is loaded */

int main(int argc, char **argv)
{
    (void)argc;
    char on_stack[] = "stack", *on_heap = strdup("heap");
    EXPECT(1, hiera_is_constant("text"));
    EXPECT(1, hiera_is_constant(pointers[1]));
    EXPECT(1, hiera_is_constant((const void *)(uintptr_t)main));
    EXPECT(0, hiera_is_constant(variable));
    EXPECT(0, hiera_is_constant(nothing));
    EXPECT(0, hiera_is_constant(on_stack));
    EXPECT(0, hiera_is_constant(on_heap));
    EXPECT(0, hiera_is_constant(argv[0]));
    EXPECT(0, hiera_is_constant(NULL));
    EXPECT(0, hiera_is_constant((const void *)UINTPTR_MAX));
    free(on_heap);
    return n_failed > 0;
}
