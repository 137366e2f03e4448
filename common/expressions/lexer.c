#include "lexer.h"
#include "text/utf8.h"
#include "units.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Make a message one line of valid UTF-8, whatever text it quotes. */
static void clean(char *message)
{
    size_t length = strlen(message), n;
    for (size_t i = 0; i < length; i += n) {
        unsigned char byte = (unsigned char)message[i];
        n = hiera_character_length(message + i, length - i);
        if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && n == 1))
            message[i] = '?';
    }
}

void hiera_lexer_fail(HieraLexer *lexer, size_t begin, size_t end, const char *format, ...)
{
    if (lexer->failed)
        return;
    lexer->failed = true;
    lexer->error->at = begin;
    lexer->error->length = end - begin;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(lexer->error->message, sizeof lexer->error->message, format, arguments);
    va_end(arguments);
    clean(lexer->error->message);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool hiera_is_word(char c)
{
    return is_letter(c) || is_digit(c);
}

size_t hiera_character_length(const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];
    size_t n = first >= 0xc2 && first < 0xf5 ? hiera_utf8_length(first) : 1;
    if (n > length)
        return 1;
    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 1;
    }
    return n;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static char byte_at(const HieraLexer *lexer, size_t at)
{
    return at < lexer->length ? lexer->text[at] : '\0';
}

char hiera_lexer_peek(HieraLexer *lexer)
{
    while (lexer->at < lexer->length && is_blank(lexer->text[lexer->at]))
        lexer->at++;
    return byte_at(lexer, lexer->at);
}

static size_t skip_word(const HieraLexer *lexer, size_t at)
{
    while (at < lexer->length && hiera_is_word(lexer->text[at]))
        at++;
    return at;
}

/* --- numbers with units, and where an operand begins --- */

/* Whether a name with a sign of the host, such as `&bytes`, begins at `at`. */
static bool is_signed(const HieraLexer *lexer, size_t at)
{
    char sign = byte_at(lexer, at);
    return lexer->signs && sign && strchr(lexer->signs, sign) && is_letter(byte_at(lexer, at + 1));
}

/* Whether an operand begins at `at`. A minus counts as an operator, as do words such as `and`. */
static bool begins_operand(const HieraLexer *lexer, size_t at)
{
    while (is_blank(byte_at(lexer, at)))
        at++;
    char c = byte_at(lexer, at);
    if (is_letter(c)) {
        size_t found;
        HieraOperator operator_ = hiera_operator_find(lexer->text + at, skip_word(lexer, at) - at, &found);
        return operator_ == HIERA_N_OPERATORS || operator_ == HIERA_OPERATOR_NOT || operator_ == HIERA_OPERATOR_BIT_NOT;
    }
    return c != '\0' && (is_digit(c) || strchr("(\"'.", c) || is_signed(lexer, at));
}

/* Return the end of the unit that directly follows a number. */
static size_t skip_unit(const HieraLexer *lexer, size_t at)
{
    if (byte_at(lexer, at) == '%')
        return begins_operand(lexer, at + 1) ? at : at + 1;
    while (at < lexer->length && (hiera_is_word(lexer->text[at]) || (unsigned char)lexer->text[at] >= 0x80))
        at++;
    return at;
}

static void blame_unit(HieraLexer *lexer, size_t begin, size_t end)
{
    const char *unit = lexer->text + begin, *nearest = hiera_unit_nearest(unit, end - begin);
    int length = end - begin < 40 ? (int)(end - begin) : 40;
    if (nearest)
        hiera_lexer_fail(lexer, begin, end, "unknown unit '%.*s'; did you mean '%s'?", length, unit, nearest);
    else
        hiera_lexer_fail(lexer, begin, end, "unknown unit '%.*s'; there are ns, us, ms, s, min, h, B, kB, KiB, …, %%",
                         length, unit);
}

static HieraToken read_number(HieraLexer *lexer, HieraToken token)
{
    const char *text = lexer->text + token.begin;
    size_t n = hiera_number_length(text, lexer->length - token.begin), behind = token.begin + n;
    token.end = skip_unit(lexer, behind);
    const HieraUnit *unit = NULL;
    if (token.end > behind) {
        unit = hiera_unit_find(text + n, token.end - behind);
        if (!unit)
            blame_unit(lexer, behind, token.end);
    }
    token.kind = HIERA_TOKEN_VALUE;
    token.value = hiera_number_value(text, n, unit);
    if (token.value.type == HIERA_VALUE_MISSING)
        hiera_lexer_fail(lexer, token.begin, token.end, "the number is too large");
    return token;
}

/* --- texts in quotes --- */

static HieraToken read_text(HieraLexer *lexer, HieraToken token)
{
    char quote = lexer->text[token.begin];
    size_t at = token.begin + 1;
    while (at < lexer->length && lexer->text[at] != quote)
        at += lexer->text[at] == '\\' ? 2 : 1;
    if (at >= lexer->length)
        hiera_lexer_fail(lexer, token.begin, token.begin + 1, "the text that begins here has no end: %c is missing",
                         quote);
    token.kind = HIERA_TOKEN_TEXT;
    token.end = at + 1;
    return token;
}

/* Return the byte of an escape whose letter is at `at`; *n becomes the number of bytes of the escape. */
static char unescape(HieraLexer *lexer, size_t at, size_t *n)
{
    static const char letters[] = "nt\\\"'", bytes[] = "\n\t\\\"'";
    static const char digits[] = "00112233445566778899aAbBcCdDeEfF";
    char c = lexer->text[at];
    const char *letter = c ? strchr(letters, c) : NULL;
    *n = 1;
    if (letter)
        return bytes[letter - letters];
    char first = byte_at(lexer, at + 1), second = byte_at(lexer, at + 2);
    const char *high = first ? strchr(digits, first) : NULL, *low = high && second ? strchr(digits, second) : NULL;
    if (c == 'x' && high && low) {
        *n = 3;
        return (char)((high - digits) / 2 * 16 + (low - digits) / 2);
    }
    size_t end = at + hiera_character_length(lexer->text + at, lexer->length - at);
    hiera_lexer_fail(lexer, at - 1, end, "unknown escape; there are \\\\ \\\" \\' \\n \\t and \\x41");
    return c;
}

size_t hiera_lexer_unescape(HieraLexer *lexer, const HieraToken *token, char *to)
{
    size_t n = 0;
    for (size_t at = token->begin + 1; at + 1 < token->end && !lexer->failed;) {
        size_t used = 1;
        bool is_escape = lexer->text[at] == '\\';
        to[n++] = is_escape ? unescape(lexer, at + 1, &used) : lexer->text[at];
        at += used + is_escape;
    }
    return n;
}

/* --- words and signs --- */

static HieraToken read_word(HieraLexer *lexer, HieraToken token)
{
    const char *text = lexer->text + token.begin;
    size_t found;
    token.end = skip_word(lexer, token.begin);
    token.operator_ = hiera_operator_find(text, token.end - token.begin, &found);
    token.kind = token.operator_ < HIERA_N_OPERATORS ? HIERA_TOKEN_OPERATOR : HIERA_TOKEN_NAME;
    while (token.kind == HIERA_TOKEN_NAME && byte_at(lexer, token.end) == '.' &&
           is_letter(byte_at(lexer, token.end + 1)))
        token.end = skip_word(lexer, token.end + 1);
    size_t n = token.end - token.begin;
    bool is_true = n == 4 && memcmp(text, "true", 4) == 0, is_false = n == 5 && memcmp(text, "false", 5) == 0;
    if (is_true || is_false) {
        token.kind = HIERA_TOKEN_VALUE;
        token.value = hiera_value_truth(is_true);
    }
    return token;
}

static HieraToken read_signed(const HieraLexer *lexer, HieraToken token)
{
    token.kind = HIERA_TOKEN_NAME;
    token.end = skip_word(lexer, token.begin + 1);
    return token;
}

/* Read `$n` or `${n}`. */
static HieraToken read_variable(HieraLexer *lexer, HieraToken token)
{
    bool is_braced = byte_at(lexer, token.begin + 1) == '{';
    size_t word = token.begin + 1 + is_braced, end = skip_word(lexer, word);
    bool is_good = end > word && !is_digit(lexer->text[word]);
    if (!is_good)
        hiera_lexer_fail(lexer, token.begin, end > word ? end : word, "a name has to follow '%s'",
                         is_braced ? "${" : "$");
    else if (is_braced && byte_at(lexer, end) != '}')
        hiera_lexer_fail(lexer, token.begin, end, "the } behind '${' is missing");
    token.kind = HIERA_TOKEN_NAME;
    token.end = end + is_braced;
    return token;
}

static void blame_sign(HieraLexer *lexer, const HieraToken *token)
{
    const char *sign = lexer->text + token->begin;
    if (*sign == '=')
        hiera_lexer_fail(lexer, token->begin, token->end, "unexpected '='; '==' compares");
    else if (*sign == ':')
        hiera_lexer_fail(lexer, token->begin, token->end, "a blank has to follow the ':' of '?:'");
    else if (token->end == token->begin + 1 && (*sign < 0x20 || *sign >= 0x7f))
        hiera_lexer_fail(lexer, token->begin, token->end, "unexpected byte 0x%02x", (unsigned char)*sign);
    else
        hiera_lexer_fail(lexer, token->begin, token->end, "unexpected '%.*s'", (int)(token->end - token->begin), sign);
}

static HieraToken read_sign(HieraLexer *lexer, HieraToken token)
{
    static const char signs[] = "(),?", keys[] = "[]";
    static const HieraTokenKind kinds[] = {HIERA_TOKEN_OPEN, HIERA_TOKEN_CLOSE, HIERA_TOKEN_COMMA,
                                           HIERA_TOKEN_QUESTION};
    const char *text = lexer->text + token.begin, *sign = *text ? strchr(signs, *text) : NULL;
    const char *key = *text && lexer->signs ? strchr(keys, *text) : NULL;
    size_t left = lexer->length - token.begin, found;
    token.operator_ = hiera_operator_find(text, left, &found);
    token.end = token.begin + (found ? found : hiera_character_length(text, left));
    if (token.operator_ < HIERA_N_OPERATORS)
        token.kind = HIERA_TOKEN_OPERATOR;
    else if (sign)
        token.kind = kinds[sign - signs];
    else if (key)
        token.kind = key == keys ? HIERA_TOKEN_OPEN_KEYS : HIERA_TOKEN_CLOSE_KEYS;
    else if (*text == ':' && (left == 1 || is_blank(text[1])))
        token.kind = HIERA_TOKEN_COLON;
    else
        blame_sign(lexer, &token);
    return token;
}

HieraToken hiera_lexer_next(HieraLexer *lexer)
{
    char c = hiera_lexer_peek(lexer);
    HieraToken token = {.begin = lexer->at, .end = lexer->at, .operator_ = HIERA_N_OPERATORS};
    if (lexer->failed || lexer->at == lexer->length)
        return token;
    if (is_digit(c) || (c == '.' && is_digit(byte_at(lexer, lexer->at + 1))))
        token = read_number(lexer, token);
    else if (c == '"' || c == '\'')
        token = read_text(lexer, token);
    else if (is_letter(c))
        token = read_word(lexer, token);
    else if (!lexer->is_behind && is_signed(lexer, lexer->at))
        token = read_signed(lexer, token);
    else if (c == '$' && lexer->has_variables)
        token = read_variable(lexer, token);
    else
        token = read_sign(lexer, token);
    lexer->at = token.end;
    if (lexer->failed)
        token.kind = HIERA_TOKEN_END;
    lexer->is_behind = token.kind == HIERA_TOKEN_VALUE || token.kind == HIERA_TOKEN_TEXT ||
                       token.kind == HIERA_TOKEN_NAME || token.kind == HIERA_TOKEN_CLOSE ||
                       token.kind == HIERA_TOKEN_CLOSE_KEYS;
    return token;
}
