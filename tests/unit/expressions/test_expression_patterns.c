/* Patterns of `=~`: a table, and many random ones whose answer is that of the C library's regexec(). */
#include "expression_host.h"
#include "suites.h"
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(array) (sizeof(array) / sizeof(array)[0])

static bool matches(const char *pattern, const char *text)
{
    char expression_text[256];
    Subject subject = {.text = text};
    snprintf(expression_text, sizeof expression_text, "text =~ \"%s\"", pattern);
    HieraExpression *expression = must_compile(&expression_host, expression_text, HIERA_VALUE_TRUTH);
    bool found = hiera_expression_holds(expression, &subject);
    hiera_expression_free(expression);
    return found;
}

static const struct {
    const char *pattern, *text;
    bool found;
} rows[] = {
    {"", "", true},
    {"", "abc", true},
    {"b", "abc", true},
    {"bd", "abc", false},
    {"abc", "ab", false},
    {"Grid", "TopologyGrid::exchange", true},
    {"grid", "TopologyGrid", false},
    {"^b", "abc", false},
    {"^a", "abc", true},
    {"c$", "abc", true},
    {"b$", "abc", false},
    {"^$", "", true},
    {"^$", "a", false},
    {"^abc$", "abc", true},
    {"a^b", "ab", false},
    {"a$b", "ab", false},
    {"^^a$$", "a", true},
    {"(^b|a)c", "ac", true},
    {"(^b|a)c", "xbc", false},
    {"(b|c$)", "xc", true},
    {"(c$)d|x", "cd", false},
    {"a.c", "abc", true},
    {"a.c", "ac", false},
    {"a.c",
     "a\xc3\xa4"
     "c",
     true},
    {"^.$", "\xe2\x82\xac", true},
    {"^..$", "\xe2\x82\xac", false},
    {"a.c", "a\nc", true},
    {"^.$", "\xff", true},
    {"^..$",
     "\xc3"
     "a",
     true},
    {"ab*c", "ac", true},
    {"ab*c", "abbbc", true},
    {"ab+c", "ac", false},
    {"ab+c", "abbc", true},
    {"ab?c", "abbc", false},
    {"^ab?c", "ac", true},
    {"\xc3\xa4+$", "x\xc3\xa4\xc3\xa4", true},
    {"^\xc3\xa4?$", "\xc3", false},
    {"a|b", "xb", true},
    {"a|b", "xc", false},
    {"^(ab|cd)+$", "abcdab", true},
    {"^(ab|cd)+$", "abcda", false},
    {"(a|)b", "b", true},
    {"()a", "a", true},
    {"(a*)*b", "aaab", true},
    {"(a*)+$", "b", true},
    {"[abc]", "xxc", true},
    {"[abc]", "xyz", false},
    {"[a-c]x", "bx", true},
    {"[^a-c]x", "bx", false},
    {"[^a-c]x", "\xc3\xa4x", true},
    {"[\xc3\xa4\xc3\xb6]$", "\xc3\xb6", true},
    {"[\xc3\xa4-\xc3\xbc]$", "\xc3\xb6", true},
    {"^[]a]+$", "a]", true},
    {"^[a-]+$", "-a", true},
    {"^[^]]$", "]", false},
    {"[a^]", "^", true},
    {"[.]", "a", false},
    {"\\d+ms", "took 15ms", true},
    {"\\d", "abc", false},
    {"^\\w+$", "Az_09", true},
    {"\\w", "-+ ", false},
    {"a\\sb", "a\tb", true},
    {"a\\Sb", "a b", false},
    {"^\\D\\W\\S$", "a-a", true},
    {"\\D", "12", false},
    {"[\\d.]+x", "1.2x", true},
    {"^[^\\d]+$", "a1", false},
    {"^[\\D]$", "5", false},
    {"[\\W]", "a_9", false},
    {"a\\.b", "axb", false},
    {"a\\.b", "a.b", true},
    {"\\(\\)\\[\\*", "()[*", true},
    {"\\\\", "a\\b", true},
    {"\\\"", "say \"", true},
    {"\\{2}", "{2}", true},
    {"a{b", "a{b", true},
    {"\\n\\t\\r", "\n\t\r", true},
    {"[\\n]", "\n", true},
    {"::operator\\+", "A::operator+", true},
    {"x|y|z", "z", true},
    {"(x|y|z)(1|2)", "y2", true},
};

START_TEST(patterns_find_what_they_describe)
{
    for (size_t i = 0; i < N(rows); i++)
        ck_assert_msg(matches(rows[i].pattern, rows[i].text) == rows[i].found, "%s on '%s': expected %s",
                      rows[i].pattern, rows[i].text, rows[i].found ? "a match" : "none");
}
END_TEST

/* An automaton that tried one way after the other would take longer than the universe has existed. */
START_TEST(no_pattern_is_slow)
{
    enum { LENGTH = 100000 };
    char *text = malloc(LENGTH + 1);
    memset(text, 'a', LENGTH);
    text[LENGTH] = '\0';
    ck_assert(!matches("(a|aa)+(a*)*(a+a+)+(a?a?a?a?)*b", text));
    ck_assert(matches("(a|aa)+(a*)*(a+a+)+(a?a?a?a?)*$", text));
    free(text);
}
END_TEST

/* --- random patterns --- */

static unsigned state = 1;

static unsigned choose(unsigned below)
{
    state = state * 1103515245 + 12345;
    return (state >> 16) % below;
}

static void append(char *to, const char *part)
{
    strcat(to, part);
}

static void make_alternatives(char *to, unsigned depth, bool anchors);

/* No anchor stands in a repeated group, where regexec() of glibc 2.36 has faults: `(c|(^.[^a]))+[ab]` on "cccda". */
static void make_piece(char *to, unsigned depth, bool anchors)
{
    static const char *const atoms[] = {"a", "b", "c", ".", "[ab]", "[^a]", "[b-c]", "^", "$"};
    static const char *const repeats[] = {"*", "+", "?", "", "", ""};
    unsigned which = choose(depth > 0 ? 12 : 9), how = choose(6);
    if (which >= 9) {
        append(to, "(");
        make_alternatives(to, depth - 1, anchors && how >= 3);
        append(to, ")");
    } else if (which >= 7) {
        append(to, anchors ? atoms[which] : "a");
        return;
    } else {
        append(to, atoms[which]);
    }
    append(to, repeats[how]);
}

static void make_alternatives(char *to, unsigned depth, bool anchors)
{
    unsigned n = 1 + choose(4);
    for (unsigned i = 0; i < n; i++) {
        make_piece(to, depth, anchors);
        if (i + 1 < n && choose(4) == 0)
            append(to, "|");
    }
}

START_TEST(random_patterns_match_what_the_c_library_matches)
{
    unsigned n_found = 0, n_all = 0;
    for (unsigned i = 0; i < 4000; i++) {
        char pattern[256] = "", text[16];
        regex_t compiled;
        make_alternatives(pattern, 2, true);
        ck_assert_msg(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) == 0, "%s", pattern);
        for (unsigned j = 0; j < 8; j++, n_all++) {
            unsigned length = choose(8);
            for (unsigned k = 0; k < length; k++)
                text[k] = (char)('a' + choose(4));
            text[length] = '\0';
            bool expected = regexec(&compiled, text, 0, NULL, 0) == 0;
            ck_assert_msg(matches(pattern, text) == expected, "%s on '%s': expected %s", pattern, text,
                          expected ? "a match" : "none");
            n_found += expected;
        }
        regfree(&compiled);
    }
    ck_assert_uint_gt(n_found, n_all / 10); /* both answers occur */
    ck_assert_uint_lt(n_found, n_all - n_all / 10);
}
END_TEST

TCase *expression_patterns_tests(void)
{
    TCase *tests = tcase_create("expression patterns");
    tcase_add_test(tests, patterns_find_what_they_describe);
    tcase_add_test(tests, no_pattern_is_slow);
    tcase_add_test(tests, random_patterns_match_what_the_c_library_matches);
    return tests;
}
