/* Classes and escapes of patterns: `[a-z_]`, `[^0-9]`, `\d`, `\W`. A class is a list of ranges of code points. */
#include "pattern_parser.h"
#include <string.h>

uint32_t hiera_pattern_read(HieraPatternParser *parser)
{
    size_t n;
    uint32_t character = hiera_pattern_decode(parser->lexer->text + parser->at, parser->end - parser->at, &n);
    parser->at += n;
    return character;
}

static void add_range(HieraPattern *pattern, uint32_t first, uint32_t last)
{
    pattern->ranges[pattern->n_ranges++] = (HieraCharRange){first, last};
}

/* Add the ranges of `\d`, `\w` or `\s`; for `\D`, `\W`, `\S` those of all other characters. */
static void add_escape_ranges(HieraPattern *pattern, char letter)
{
    static const struct {
        char letter;
        HieraCharRange range;
    } all[] = {{'d', {'0', '9'}}, {'w', {'0', '9'}},   {'w', {'A', 'Z'}}, {'w', {'_', '_'}},
               {'w', {'a', 'z'}}, {'s', {'\t', '\r'}}, {'s', {' ', ' '}}};
    char small = (char)(letter | 0x20);
    uint32_t behind = 0; /* first code point behind the last range */
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].letter != small)
            continue;
        if (letter == small)
            add_range(pattern, all[i].range.first, all[i].range.last);
        else
            add_range(pattern, behind, all[i].range.first - 1);
        behind = all[i].range.last + 1;
    }
    if (letter != small)
        add_range(pattern, behind, UINT32_MAX);
}

static uint32_t begin_class(HieraPatternParser *parser)
{
    HieraPattern *pattern = parser->pattern;
    if (pattern->n_classes == HIERA_PATTERN_STATES) {
        HIERA_PATTERN_FAIL(parser, parser->at - 1, parser->at, "the pattern is too long: only %d parts are possible",
                           HIERA_PATTERN_STATES);
        pattern->n_classes = 0;
    }
    pattern->classes[pattern->n_classes] = (HieraCharClass){.first = pattern->n_ranges};
    return pattern->n_classes++;
}

static void end_class(HieraPattern *pattern, uint32_t class_)
{
    pattern->classes[class_].n = pattern->n_ranges - pattern->classes[class_].first;
}

static bool is_class_letter(char letter)
{
    return letter != '\0' && strchr("dDwWsS", letter);
}

/* Read an escape that stands for one character, such as `\n` or `\.`. */
static uint32_t read_escaped(HieraPatternParser *parser)
{
    static const char letters[] = "nrt", bytes[] = "\n\r\t";
    char letter = hiera_pattern_peek(parser);
    const char *known = letter ? strchr(letters, letter) : NULL;
    if (parser->at >= parser->end || (hiera_is_word(letter) && !known)) {
        bool is_digit = letter >= '0' && letter <= '9';
        HIERA_PATTERN_FAIL(parser, parser->at - 1, parser->at + (parser->at < parser->end), "%s",
                           is_digit ? "a pattern cannot refer back to a group"
                                    : "unknown escape in a pattern; there are \\d \\w \\s \\D \\W \\S \\n \\r \\t, and "
                                      "a backslash before a sign");
        return 0;
    }
    uint32_t character = hiera_pattern_read(parser);
    return known ? (unsigned char)bytes[known - letters] : character;
}

uint32_t hiera_pattern_read_escape(HieraPatternParser *parser, uint32_t *class_)
{
    char letter = hiera_pattern_peek(parser);
    if (!is_class_letter(letter))
        return read_escaped(parser);
    parser->at++;
    *class_ = begin_class(parser);
    add_escape_ranges(parser->pattern, letter);
    end_class(parser->pattern, *class_);
    return HIERA_ESCAPE_CLASS;
}

/* Read an item of a class: `a`, `a-z` or an escape. */
static void read_item(HieraPatternParser *parser)
{
    size_t begin = parser->at;
    uint32_t first = hiera_pattern_read(parser);
    if (first == '[' && hiera_pattern_peek(parser) == ':') {
        HIERA_PATTERN_FAIL(parser, begin, begin + 2, "there are no named classes; write \\d, \\w, \\s or ranges");
        return;
    }
    if (first == '\\' && is_class_letter(hiera_pattern_peek(parser))) {
        add_escape_ranges(parser->pattern, parser->lexer->text[parser->at++]);
        return;
    }
    first = first == '\\' ? read_escaped(parser) : first;
    uint32_t last = first;
    if (hiera_pattern_peek(parser) == '-' && parser->at + 1 < parser->end &&
        parser->lexer->text[parser->at + 1] != ']') {
        parser->at++;
        last = hiera_pattern_read(parser);
        last = last == '\\' ? read_escaped(parser) : last;
    }
    if (last < first)
        HIERA_PATTERN_FAIL(parser, begin, parser->at, "the range of a class is the wrong way round");
    add_range(parser->pattern, first, last);
}

uint32_t hiera_pattern_read_class(HieraPatternParser *parser)
{
    size_t begin = parser->at - 1;
    uint32_t class_ = begin_class(parser);
    bool is_negated = hiera_pattern_peek(parser) == '^';
    parser->at += is_negated;
    bool is_first = true; /* a `]` at the begin is a member of the class */
    while (parser->at < parser->end && (is_first || hiera_pattern_peek(parser) != ']')) {
        read_item(parser);
        is_first = false;
    }
    if (parser->at >= parser->end)
        HIERA_PATTERN_FAIL(parser, begin, begin + 1, "the class that begins here has no end: ] is missing");
    parser->at += parser->at < parser->end;
    end_class(parser->pattern, class_);
    parser->pattern->classes[class_].is_negated = is_negated;
    return class_;
}
