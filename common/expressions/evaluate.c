/* The evaluation loop: one row of a table for each instruction. All state is on the C stack. See program.h. */
#include "arithmetic.h"
#include "floats.h"
#include "program.h"
#include <string.h>

typedef struct {
    const HieraExpression *expression;
    const HieraBytecode *next; /* next instruction */
    HieraValue *top;           /* topmost value of the stack */
    void *context;
    HieraExpressionSides *sides; /* receives the sides of the last comparison; may be NULL */
} Machine;

static void jump(Machine *machine, const HieraBytecode *from)
{
    machine->next = machine->expression->code + from->operand;
}

static void push_constant(Machine *machine, const HieraBytecode *at)
{
    *++machine->top = machine->expression->constants[at->operand];
}

/* Convert a value from the host to the type that the expression expects. */
static HieraValue take(const Machine *machine, HieraValue value, HieraValueType type)
{
    bool plain = machine->expression->plain;
    bool fits = value.type == type && type != HIERA_VALUE_NUMBER && (type != HIERA_VALUE_DURATION || !plain);
    return fits ? value : hiera_arithmetic_convert(value, type, plain);
}

static void push_name(Machine *machine, const HieraBytecode *at)
{
    const HieraExpressionName *name = &machine->expression->names[at->operand];
    HieraValue value = name->get(name->id, machine->context);
    *++machine->top = take(machine, value, name->type);
}

static void push_bound(Machine *machine, const HieraBytecode *at)
{
    HieraValue value = machine->expression->get_bound(at->operand, machine->context);
    HieraValueType type = (HieraValueType)at->kind;
    *++machine->top = value.type == type && type == HIERA_VALUE_INTEGER ? value : take(machine, value, type);
}

/* Whether none of the n topmost values, arguments of a call or keys, is missing. */
static bool has_all(const Machine *machine, unsigned n)
{
    bool has = true;
    for (unsigned i = 0; i < n; i++)
        has = has && (machine->top - i)->type != HIERA_VALUE_MISSING;
    return has;
}

static void push_keyed(Machine *machine, const HieraBytecode *at)
{
    const HieraExpression *expression = machine->expression;
    HieraValue value = hiera_value_missing();
    if (has_all(machine, at->more))
        value = expression->get_keyed(at->operand, machine->top - at->more + 1, at->more, machine->context);
    machine->top += 1 - at->more;
    *machine->top = hiera_arithmetic_convert(value, (HieraValueType)at->kind, expression->plain);
}

static void call(Machine *machine, const HieraBytecode *at)
{
    const HieraExpressionFunction *function = &machine->expression->functions[at->operand];
    const HieraValue *arguments = machine->top - at->more + 1;
    HieraValue value =
        has_all(machine, at->more) ? function->call(function->id, arguments, machine->context) : hiera_value_missing();
    machine->top += 1 - at->more;
    *machine->top = hiera_arithmetic_convert(value, function->result, machine->expression->plain);
}

static void has(Machine *machine, const HieraBytecode *at)
{
    (void)at;
    *machine->top = hiera_value_truth(machine->top->type != HIERA_VALUE_MISSING);
}

static void unary(Machine *machine, const HieraBytecode *at)
{
    *machine->top = hiera_arithmetic_unary((HieraOperator)at->kind, *machine->top);
}

static void binary(Machine *machine, const HieraBytecode *at)
{
    HieraValue right = *machine->top--;
    *machine->top = hiera_arithmetic_binary((HieraOperator)at->kind, *machine->top, right, machine->expression->plain);
}

static void concat(Machine *machine, const HieraBytecode *at)
{
    (void)at;
    HieraValue right = *machine->top--, *left = machine->top;
    char *text = NULL;
    if (left->type == HIERA_VALUE_TEXT && right.type == HIERA_VALUE_TEXT)
        text = machine->expression->text_room((size_t)left->length + right.length, machine->context);
    if (!text) {
        *left = hiera_value_missing();
        return;
    }
    memcpy(text, left->text, left->length);
    memcpy(text + left->length, right.text, right.length);
    *left = hiera_value_text(text, (size_t)left->length + right.length);
}

static void tell(const Machine *machine, const HieraBytecode *at, HieraValue right)
{
    if (machine->sides)
        *machine->sides = (HieraExpressionSides){hiera_operator_spelling((HieraOperator)at->kind), *machine->top, right,
                                                 (at->more & HIERA_COMPARE_TIMES) != 0};
}

/* Compare two values. Integers, the usual case, use a table: by operator, bits for less, equal and greater. */
static bool compare_values(HieraOperator operator_, HieraValue left, HieraValue right)
{
    static const uint8_t holds_if[HIERA_N_OPERATORS] = {
        [HIERA_OPERATOR_LESS] = 1,    [HIERA_OPERATOR_EQUAL] = 2,   [HIERA_OPERATOR_LESS_EQUAL] = 3,
        [HIERA_OPERATOR_GREATER] = 4, [HIERA_OPERATOR_UNEQUAL] = 5, [HIERA_OPERATOR_GREATER_EQUAL] = 6,
    };
    if (left.type != HIERA_VALUE_INTEGER || right.type != HIERA_VALUE_INTEGER)
        return hiera_arithmetic_compare(operator_, left, right);
    return holds_if[operator_] >> (1 + (left.integer > right.integer) - (left.integer < right.integer)) & 1;
}

static void compare(Machine *machine, const HieraBytecode *at)
{
    HieraValue right = *machine->top--;
    tell(machine, at, right);
    *machine->top = hiera_value_truth(compare_values((HieraOperator)at->kind, *machine->top, right));
}

static void chain(Machine *machine, const HieraBytecode *at)
{
    HieraValue right = *machine->top--;
    tell(machine, at, right);
    bool is_true = compare_values((HieraOperator)at->kind, *machine->top, right);
    *machine->top = is_true ? right : hiera_value_truth(false);
    if (!is_true)
        jump(machine, at);
}

static void match(Machine *machine, const HieraBytecode *at)
{
    HieraValue text = *machine->top;
    *machine->top =
        hiera_value_truth(text.type == HIERA_VALUE_TEXT &&
                          hiera_pattern_matches(machine->expression->patterns[at->operand], text.text, text.length));
}

static void ranks(Machine *machine, const HieraBytecode *at)
{
    HieraValue rank = *machine->top;
    bool is_small = rank.type == HIERA_VALUE_NUMBER && rank.number >= 0 && rank.number < 0x1p62;
    if (is_small && rank.number == (double)(int64_t)rank.number)
        rank = hiera_value_integer((int64_t)rank.number);
    *machine->top = hiera_value_truth(rank.type == HIERA_VALUE_INTEGER &&
                                      hiera_rank_set_has(machine->expression->sets[at->operand], rank.integer));
}

/* Short circuit: a false left side decides `and` and `->`, a true one decides `or`. */
static void decide_early(Machine *machine, const HieraBytecode *at)
{
    if (hiera_arithmetic_holds(*machine->top) != (at->kind == HIERA_OPERATOR_OR)) {
        machine->top--;
        return;
    }
    *machine->top = hiera_value_truth(at->kind != HIERA_OPERATOR_AND);
    jump(machine, at);
}

static void decide(Machine *machine, const HieraBytecode *at)
{
    (void)at;
    *machine->top = hiera_value_truth(hiera_arithmetic_holds(*machine->top));
}

static void branch(Machine *machine, const HieraBytecode *at)
{
    if (!hiera_arithmetic_holds(*machine->top--))
        jump(machine, at);
}

static void convert(Machine *machine, const HieraBytecode *at)
{
    *machine->top = hiera_arithmetic_convert(*machine->top, (HieraValueType)at->kind, machine->expression->plain);
}

/* X(instruction, function). Each function is called only in the switch that uses this list, so it is inlined. */
#define STEPS(X)                                                                                                       \
    X(CONSTANT, push_constant)                                                                                         \
    X(NAME, push_name)                                                                                                 \
    X(BOUND, push_bound)                                                                                               \
    X(KEYED, push_keyed)                                                                                               \
    X(CALL, call)                                                                                                      \
    X(HAS, has)                                                                                                        \
    X(UNARY, unary)                                                                                                    \
    X(CONCAT, concat)                                                                                                  \
    X(BINARY, binary)                                                                                                  \
    X(COMPARE, compare)                                                                                                \
    X(CHAIN, chain)                                                                                                    \
    X(MATCH, match)                                                                                                    \
    X(RANKS, ranks)                                                                                                    \
    X(SHORT, decide_early)                                                                                             \
    X(DECIDE, decide)                                                                                                  \
    X(BRANCH, branch)                                                                                                  \
    X(JUMP, jump)                                                                                                      \
    X(JOIN, convert)                                                                                                   \
    X(CONVERT, convert)

static inline void step(Machine *machine, const HieraBytecode *at)
{
    switch ((HieraOpcode)at->opcode) {
#define X(instruction, function)                                                                                       \
    case HIERA_OP_##instruction:                                                                                       \
        function(machine, at);                                                                                         \
        break;
        STEPS(X)
#undef X
    case HIERA_OP_END:
    case HIERA_N_OPCODES:
        break;
    }
}

/* noinline, so that no floating-point operation is moved before hiera_floats_enter() sets the environment. */
static __attribute__((noinline)) HieraValue run(const HieraExpression *expression, void *context,
                                                HieraExpressionSides *sides)
{
    HieraValue stack[HIERA_EXPRESSION_STACK + 1];
    Machine machine = {
        .expression = expression, .next = expression->code, .top = stack, .context = context, .sides = sides};
    while (machine.next->opcode != HIERA_OP_END) {
        const HieraBytecode *at = machine.next++;
        step(&machine, at);
    }
    return *machine.top;
}

static HieraValue evaluate(const HieraExpression *expression, void *context, HieraExpressionSides *sides)
{
    if (!expression->guards_floats)
        return run(expression, context, sides);
    HieraFloats floats;
    hiera_floats_enter(&floats, expression->has_fmod);
    HieraValue value = run(expression, context, sides);
    hiera_floats_leave(&floats, expression->has_fmod);
    return value;
}

HieraValue hiera_expression_evaluate(const HieraExpression *expression, void *context)
{
    return evaluate(expression, context, NULL);
}

bool hiera_expression_explain(const HieraExpression *expression, void *context, HieraExpressionSides *sides)
{
    *sides = (HieraExpressionSides){0};
    return hiera_arithmetic_holds(evaluate(expression, context, sides));
}

bool hiera_expression_holds(const HieraExpression *expression, void *context)
{
    return hiera_arithmetic_holds(hiera_expression_evaluate(expression, context));
}
