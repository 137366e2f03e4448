/* Memory of the expression language: an evaluation allocates nothing; a compilation that gets no memory says so and
 * leaves nothing behind. All allocations go through the malloc of this program. */
#include "expressions/expression.h"
#include "harness/plain.h"

#include <limits.h>
#include <malloc.h>
#include <stdlib.h>

#define SHOWN __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *memory);

static long n_calls;              /* of malloc and its like */
static long n_live;               /* blocks that are not freed */
static long n_granted = LONG_MAX; /* calls that will get memory */

static bool grants(void)
{
    n_calls++;
    return n_granted-- > 0;
}

SHOWN void *malloc(size_t size)
{
    void *memory = grants() ? __libc_malloc(size) : NULL;
    n_live += memory != NULL;
    return memory;
}

SHOWN void *calloc(size_t n, size_t size)
{
    void *memory = grants() ? __libc_calloc(n, size) : NULL;
    n_live += memory != NULL;
    return memory;
}

SHOWN void *realloc(void *old, size_t size)
{
    void *memory = grants() ? __libc_realloc(old, size) : NULL;
    n_live += memory && !old;
    return memory;
}

SHOWN void free(void *memory)
{
    n_live -= memory != NULL;
    __libc_free(memory);
}

static HieraValue get(unsigned id, void *context)
{
    (void)context;
    return id == 0 ? hiera_value_integer(3) : hiera_value_text("main/TopologyGrid::exchange", 27);
}

static HieraValue call(unsigned id, const HieraValue *arguments, void *context)
{
    (void)id, (void)context;
    return arguments[0];
}

static const HieraExpressionName names[] = {{"rank", HIERA_VALUE_INTEGER, 0, 0, get},
                                            {"path", HIERA_VALUE_TEXT, 1, 0, get}};
static const HieraExpressionFunction functions[] = {
    {"same", HIERA_VALUE_INTEGER, 1, {HIERA_VALUE_INTEGER}, 0, 0, call}};
static const HieraExpressionHost host = {names, 2, functions, 1, .guards_floats = true};

/* Something of everything, and more than 8 of what is kept in arrays. */
static const char text[] =
    "rank in 0-3 9 and path =~ '(a|b)*Grid.+$' and path =~ 'Grid' and path == \"main/TopologyGrid::exchange\" and "
    "not has(same(rank) / 0) and (1 < rank < 5 ? 1.5 : 2) * 5ms % 1s < 1h and 'Grid' in path and "
    "1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 == 45 xor false -> rank band 7 == 3";

static HieraExpression *compile(HieraExpressionError *error)
{
    return hiera_expression_compile(text, sizeof text - 1, &host, HIERA_VALUE_TRUTH, error);
}

static void check_evaluation(void)
{
    HieraExpressionError error;
    HieraExpression *expression = compile(&error);
    EXPECT(1, expression != NULL);
    long before = n_calls;
    bool holds = expression && hiera_expression_holds(expression, NULL);
    EXPECT(0, n_calls - before);
    EXPECT(1, holds);
    hiera_expression_free(expression);
    EXPECT(0, n_live);
}

static void check_shortage(void)
{
    HieraExpression *expression = NULL;
    long n = 0;
    for (; !expression && n < 1000; n++) {
        HieraExpressionError error;
        n_granted = n;
        expression = compile(&error);
        n_granted = LONG_MAX;
        if (!expression) {
            EXPECT_TEXT("out of memory", error.message);
            EXPECT(0, n_live);
        }
    }
    EXPECT(1, expression != NULL && n > 10);
    hiera_expression_free(expression);
    EXPECT(0, n_live);
}

int main(void)
{
    check_evaluation();
    check_shortage();
    return n_failed > 0;
}
