/* Functions that find offsets in the text of a script; see script.h. */
#include "script.h"
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

size_t hiera_scan_blanks(const HieraProbeScript *script, size_t at)
{
    while (at < script->length && is_blank(script->plain[at]))
        at++;
    return at;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

size_t hiera_scan_word(const HieraProbeScript *script, size_t at)
{
    while (at < script->length && is_word(script->plain[at]))
        at++;
    return at;
}

size_t hiera_scan_text(const HieraProbeScript *script, size_t at)
{
    char quote = script->plain[at++];
    while (at < script->length && script->plain[at] != quote)
        at += script->plain[at] == '\\' ? 2 : 1;
    return at < script->length ? at + 1 : script->length;
}

size_t hiera_scan_to(const HieraProbeScript *script, size_t at, size_t end, const char *characters)
{
    unsigned depth = 0;
    while (at < end) {
        char c = script->plain[at];
        bool nests = c == ',' || c == ')' || c == ']';
        if (c && strchr(characters, c) && (depth == 0 || !nests))
            return at;
        depth += c == '(' || c == '[';
        depth -= depth > 0 && (c == ')' || c == ']');
        at = c == '"' || c == '\'' ? hiera_scan_text(script, at) : at + 1;
    }
    return end;
}

HieraSpan hiera_scan_trim(const HieraProbeScript *script, size_t begin, size_t end)
{
    begin = hiera_scan_blanks(script, begin);
    while (end > begin && is_blank(script->plain[end - 1]))
        end--;
    return begin < end ? (HieraSpan){begin, end - begin} : (HieraSpan){end, 0};
}

unsigned hiera_scan_split(const HieraProbeScript *script, size_t begin, size_t end, HieraSpan *parts, unsigned room)
{
    unsigned n = 0;
    if (hiera_scan_trim(script, begin, end).length == 0)
        return 0;
    for (size_t at = begin; at <= end; n++) {
        if (n == room)
            return room + 1;
        size_t comma = hiera_scan_to(script, at, end, ",");
        parts[n] = hiera_scan_trim(script, at, comma);
        at = comma + 1;
    }
    return n;
}
