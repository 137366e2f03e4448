#include "shorten.h"
#include "base/text_width.h"
#include <string.h>

#define STEP        " > "
#define BEFORE      "before "
#define DIGITS_MAX  20 /* most digits of a number that is kept whole at the end of a text */
#define NUMBERS_MIN 10 /* least width of a list of numbers behind a word ("iterations 2-3 5") */
#define PLACE_MIN   12 /* least width of a call site that is a function without a line */

/* One name of a call path, in parts: "before", name with class, call site. */
typedef struct {
    const char *name;   /* begin of the name, behind "before " if the text begins with that */
    const char *method; /* begin of the name without its class */
    const char *end;    /* end of the name: a blank, or the end of the text */
    const char *place;  /* call site behind that blank; NULL: there is none */
} Step;

static glong count(const char *from, const char *to)
{
    return hiera_text_width(from, to - from);
}

static glong length(const char *text)
{
    return hiera_text_width(text, -1);
}

static const char *find_digits(const char *text)
{
    const char *digits = text + strlen(text);
    while (digits > text && g_ascii_isdigit(digits[-1]))
        digits--;
    return digits;
}

/* Find the call site at the end of a text: "file.c:12", or "object+0x12 in function". NULL: there is none. */
static const char *find_place(const char *text)
{
    const char *digits = find_digits(text), *in = strstr(text, " in ");
    const char *last = *digits && digits > text && digits[-1] == ':' ? digits : in && strstr(text, "+0x") ? in : text;
    while (last > text && last[-1] != ' ')
        last--;
    return last > text ? last : NULL;
}

static gboolean is_behind(const char *text, const char *at, const char *word)
{
    gsize size = strlen(word);
    return (gsize)(at - text) >= size && strncmp(at - size, word, size) == 0;
}

/* Return the parenthesis that closes the one at `open`; NULL: it is not closed. */
static const char *find_close(const char *open)
{
    int depth = 0;
    for (const char *at = open; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Whether the parenthesis at `at` opens the parameters of a C++ function, whose name is before it: "f(int)", but not
 * "f(int (*)(int))" inside of them,
 * "(anonymous namespace)", "operator()", "MPI_Abort (7)". */
static gboolean opens_parameters(const char *text, const char *at)
{
    return at > text && at[0] == '(' && at[-1] != ' ' && at[-1] != ':' && at[1] != ')' &&
           !is_behind(text, at, "operator");
}

/* Return a text with `instead` in place of the parameters of functions, and without their "const"; to be freed with
 * g_free. */
static char *leave_parameters(const char *text, const char *instead)
{
    GString *left = g_string_new(NULL);
    for (const char *at = text; *at; at++) {
        const char *close = opens_parameters(text, at) ? find_close(at) : NULL;
        if (!close) {
            g_string_append_c(left, *at);
            continue;
        }
        g_string_append(left, instead);
        at = g_str_has_prefix(close, ") const") ? close + strlen(" const") : close;
    }
    return g_string_free(left, FALSE);
}

char *hiera_name_leave_parameters(const char *text)
{
    return leave_parameters(text, "(…)");
}

/* Return the bracket that closes the template arguments beginning at `at`; NULL: none begin at `at`. */
static const char *find_arguments_end(const char *text, const char *at)
{
    gboolean opens =
        at > text && *at == '<' && (g_ascii_isalnum(at[-1]) || at[-1] == '_') && !is_behind(text, at, "operator");
    int depth = 0;
    for (; opens && *at; at++) {
        depth += (*at == '<') - (*at == '>');
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Return a text with "<…>" in place of template arguments before `behind`: "Map<std::string, int>::find<int>" →
 * "Map<…>::find<int>". To be freed with g_free. */
static char *leave_arguments(const char *text, const char *behind)
{
    GString *left = g_string_new(NULL);
    for (const char *at = text; *at; at++) {
        const char *end = at < behind ? find_arguments_end(text, at) : NULL;
        if (end)
            g_string_append(left, "<…>");
        else
            g_string_append_c(left, *at);
        at = end ? end : at;
    }
    return g_string_free(left, FALSE);
}

char *hiera_name_leave_arguments(const char *text)
{
    return leave_arguments(text, text + strlen(text));
}

/* Return the part of a name behind the last "::" that separates names, not counting those in template arguments. */
static const char *find_method(const char *name, const char *end)
{
    const char *method = name;
    int depth = 0;
    for (const char *at = name; at + 2 < end; at++) {
        depth += *at == '<' && !is_behind(name, at, "operator") && !is_behind(name, at, "operator<");
        depth -= *at == '>' && depth > 0;
        if (depth == 0 && at[0] == ':' && at[1] == ':')
            method = at + 2;
    }
    return method;
}

static Step take_apart(const char *text)
{
    Step step = {.name = g_str_has_prefix(text, BEFORE) ? text + strlen(BEFORE) : text};
    step.place = find_place(step.name);
    step.end = step.place ? step.place - 1 : step.name + strlen(step.name);
    step.method = find_method(step.name, step.end);
    return step;
}

/* Shorten a text that is too wide: first write "(…)" for the parameters of functions; if that is still too wide, leave
 * them out; then write "<…>" for template arguments: those of classes, and of the method if it is too wide without
 * its class. To be freed with g_free. */
static char *fit_parameters(const char *text, glong width)
{
    char *left = hiera_name_leave_parameters(text);
    if (length(left) <= width)
        return left;
    g_free(left);
    left = leave_parameters(text, "");
    if (length(left) <= width)
        return left;
    g_autofree char *whole = left;
    Step step = take_apart(whole);
    return leave_arguments(whole, length(step.method) < width ? step.method : whole + strlen(whole));
}

static glong least_of_place(const char *place)
{
    glong digits = length(find_digits(place));
    return digits > 0 ? MIN(digits, DIGITS_MAX) + 1 : MIN(PLACE_MIN, length(place));
}

/* Return the last `width` characters of a text. A number that would lose its first digits is left out, unless it is
 * the end of the text. */
static const char *find_end(const char *text, glong width)
{
    const char *end = hiera_text_last(text, MAX(width, 0));
    const char *number_end = end;
    if (end > text && g_ascii_isdigit(end[-1]))
        number_end += strspn(end, "0123456789");
    return *number_end ? number_end : end;
}

/* Whether a text is a list of numbers, which may be shortened at its end as well as at its begin. */
static gboolean is_list(const char *text)
{
    return *text && text[strspn(text, "0123456789 -:,…")] == '\0';
}

/* Return the list of numbers behind a word, as in "iterations 2-3 5"; NULL: other words follow, or no list. */
static const char *find_list(const char *text)
{
    const char *list = strchr(text, ' ');
    return list && g_ascii_isalpha(*text) && is_list(list + 1) ? list + 1 : NULL;
}

/* Return a word and as many numbers of the list behind it as fit `width`, to be freed with g_free. NULL: none fit. */
static char *keep_begin(const char *text, const char *list, glong width)
{
    const char *end = NULL;
    for (const char *at = list; (at = strchr(at, ' ')) && count(text, at) + 2 <= width; at++)
        end = at;
    return end ? g_strdup_printf("%.*s …", (int)(end - text), text) : NULL;
}

char *hiera_name_shorten(const char *whole, glong width)
{
    g_autofree char *text = fit_parameters(whole, width);
    if (length(text) <= width)
        return g_steal_pointer(&text);
    const char *close = text[0] == '(' ? find_close(text) : NULL;
    if (close && close[1] == '\0') { /* keep "(unexplained)": its end alone means the opposite */
        g_autofree char *first = g_utf8_substring(text, 0, MAX(width - 1, 0));
        return g_strconcat(first, "…", NULL);
    }
    const char *list = find_list(text);
    char *begin = list ? keep_begin(text, list, width) : NULL;
    if (begin)
        return begin;
    Step step = take_apart(text);
    g_autofree char *before = g_strndup(text, (gsize)(step.name - text));
    g_autofree char *method = g_strndup(step.method, (gsize)(step.end - step.method));
    const char *dots = step.method > step.name ? "…" : "", *end = find_end(step.name, width - length(before) - 1);
    gboolean keeps_method = end <= step.method && step.method > step.name;
    if (keeps_method || !step.place)
        return keeps_method ? g_strconcat(before, "…", end, NULL) : g_strconcat("…", find_end(text, width - 1), NULL);
    glong left = width - length(before) - length(dots) - length(method) - length(" …");
    if (left < least_of_place(step.place))
        return g_strconcat("…", find_end(text, width - 1), NULL);
    return g_strconcat(before, dots, method, " …", find_end(step.place, left), NULL);
}

char *hiera_steps_shorten(const char *whole, glong width)
{
    g_autofree char *path = fit_parameters(whole, width);
    if (length(path) <= width)
        return g_steal_pointer(&path);
    const char *last = path;
    for (const char *at = path; (at = strstr(at, STEP)); at = last = at + strlen(STEP)) {
        if (length(at) + 1 <= width)
            return g_strconcat("…", at, NULL);
    }
    if (last > path && length(last) + 1 <= width)
        return g_strconcat("…", last, NULL);
    return hiera_name_shorten(last, width);
}

glong hiera_name_least_width(const char *text)
{
    return 1 + MIN(length(find_digits(text)), DIGITS_MAX);
}

glong hiera_name_good_width(const char *whole)
{
    g_autofree char *text = leave_parameters(whole, "");
    const char *list = find_list(text);
    if (list)
        return MIN(length(text), count(text, list) + NUMBERS_MIN);
    if (is_list(text))
        return hiera_name_least_width(text);
    const char *last = text;
    for (const char *at = text; (at = strstr(at, STEP)); at = last)
        last = at + strlen(STEP);
    Step step = take_apart(last);
    glong dots = step.method > step.name, place = step.place ? 2 + least_of_place(step.place) : 0;
    glong good = count(last, step.name) + dots + count(step.method, step.end) + place;
    return MIN(good, length(last) + (last > text));
}
