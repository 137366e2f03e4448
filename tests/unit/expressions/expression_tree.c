/* Prints a compiled expression as a tree. Instructions are in postfix order: each takes the texts of its operands,
 * which are the last ones, and replaces them by one text. */
#include "expression_host.h"
#include "expressions/program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 * HIERA_EXPRESSION_STACK }; /* most texts: more than values, as those of both branches of ?: stay */

typedef struct {
    char *to;
    size_t room, length;
    size_t starts[MOST]; /* offsets in `to` of the n texts, each behind a blank */
    size_t n;
    bool failed; /* `room` or `starts` is full */
} Printer;

static void insert(Printer *printer, size_t at, const char *text, size_t n)
{
    if (printer->failed || printer->length + n >= printer->room) {
        printer->failed = true;
        return;
    }
    memmove(printer->to + at + n, printer->to + at, printer->length - at);
    memcpy(printer->to + at, text, n);
    printer->length += n;
}

static void append(Printer *printer, const char *text)
{
    insert(printer, printer->length, text, strlen(text));
}

/* Begin a new, empty text. */
static void begin(Printer *printer)
{
    if (printer->n == MOST) {
        printer->failed = true;
        return;
    }
    if (printer->n > 0)
        append(printer, " ");
    printer->starts[printer->n++] = printer->length;
}

/* Replace the last n texts by `(head a b …)`. */
static void wrap(Printer *printer, const char *head, size_t n)
{
    if (printer->failed)
        return;
    if (n == 0)
        begin(printer);
    printer->n -= n ? n - 1 : 0;
    size_t start = printer->starts[printer->n - 1];
    if (n > 0)
        insert(printer, start, " ", 1);
    insert(printer, start, head, strlen(head));
    insert(printer, start, "(", 1);
    append(printer, ")");
}

/* Join the last two texts of the printer, a and b, to `a OPERATOR b`. */
static void link_chain(Printer *printer, const char *operator_)
{
    if (printer->failed)
        return;
    size_t right = printer->starts[--printer->n];
    insert(printer, right, " ", 1);
    insert(printer, right, operator_, strlen(operator_));
}

static void quote(Printer *printer, const char *text, size_t length)
{
    append(printer, "\"");
    insert(printer, printer->length, text, length);
    append(printer, "\"");
}

static void print_constant(Printer *printer, HieraValue value)
{
    char text[64];
    begin(printer);
    switch (value.type) {
    case HIERA_VALUE_TEXT:
        quote(printer, value.text, value.length);
        return;
    case HIERA_VALUE_TRUTH:
        append(printer, value.truth ? "true" : "false");
        return;
    case HIERA_VALUE_NUMBER:
        for (int digits = 1; digits <= 17; digits++) { /* print the fewest digits that identify the number */
            snprintf(text, sizeof text, "%.*g", digits, value.number);
            if (strtod(text, NULL) == value.number)
                break;
        }
        break;
    default:
        snprintf(text, sizeof text, "%lld%s", (long long)value.integer, value.type == HIERA_VALUE_DURATION ? "ns" : "");
    }
    append(printer, text);
}

/* As snprintf() does. */
static size_t print_ranks(const HieraRankSet *set, char *to, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < set->n; i++) {
        const HieraRankRange *range = &set->ranges[i];
        char part[80];
        int length = snprintf(part, sizeof part, "%s%lld", i ? " " : "", (long long)range->first);
        if (range->last > range->first)
            length += snprintf(part + length, sizeof part - (size_t)length, "-%lld", (long long)range->last);
        if (range->step > 1)
            length += snprintf(part + length, sizeof part - (size_t)length, ":%lld", (long long)range->step);
        if (n < room)
            snprintf(to + n, room - n, "%s", part);
        n += (size_t)length;
    }
    return n;
}

static void print_operand(Printer *printer, const HieraExpression *expression, const HieraBytecode *at)
{
    char text[512];
    begin(printer);
    if (at->opcode == HIERA_OP_BOUND) {
        snprintf(text, sizeof text, "@%u", at->operand);
        append(printer, text);
    } else if (at->opcode == HIERA_OP_NAME) {
        append(printer, expression->names[at->operand].name);
    } else if (at->opcode == HIERA_OP_MATCH) {
        const HieraPattern *pattern = expression->patterns[at->operand];
        quote(printer, pattern->source, pattern->length);
    } else {
        print_ranks(expression->sets[at->operand], text, sizeof text);
        append(printer, text);
    }
}

static void print_instruction(Printer *printer, const HieraExpression *expression, const HieraBytecode *at)
{
    char name[16];
    const char *operator_ = at->kind < HIERA_N_OPERATORS ? hiera_operator_spelling((HieraOperator)at->kind) : "";
    switch ((HieraOpcode)at->opcode) {
    case HIERA_OP_CONSTANT:
        return print_constant(printer, expression->constants[at->operand]);
    case HIERA_OP_NAME:
    case HIERA_OP_BOUND:
        return print_operand(printer, expression, at);
    case HIERA_OP_KEYED:
        snprintf(name, sizeof name, "@%u", at->operand);
        return wrap(printer, name, at->more);
    case HIERA_OP_CONCAT:
        return wrap(printer, "+", 2);
    case HIERA_OP_CALL:
        return wrap(printer, expression->functions[at->operand].name, at->more);
    case HIERA_OP_HAS:
        return wrap(printer, "has", 1);
    case HIERA_OP_MATCH:
    case HIERA_OP_RANKS:
        print_operand(printer, expression, at);
        return wrap(printer, at->opcode == HIERA_OP_MATCH ? "=~" : "in", 2);
    case HIERA_OP_UNARY:
        return wrap(printer, operator_, 1);
    case HIERA_OP_CHAIN:
        return link_chain(printer, operator_);
    case HIERA_OP_COMPARE:
        if (!(at->more & HIERA_COMPARE_CHAIN))
            return wrap(printer, operator_, 2);
        link_chain(printer, operator_);
        return wrap(printer, "chain", 1);
    case HIERA_OP_BINARY:
    case HIERA_OP_DECIDE:
        return wrap(printer, operator_, 2);
    case HIERA_OP_JOIN:
        return wrap(printer, "?:", 3);
    default: /* jumps and conversions have no text */
        return;
    }
}

bool print_tree(const HieraExpression *expression, char *to, size_t room)
{
    Printer printer = {.to = to, .room = room, .failed = room == 0};
    for (size_t i = 0; i < expression->n_code && !printer.failed; i++)
        print_instruction(&printer, expression, &expression->code[i]);
    if (room > 0)
        to[printer.failed ? 0 : printer.length] = '\0';
    return !printer.failed;
}
