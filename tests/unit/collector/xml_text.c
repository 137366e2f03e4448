/* Text of a trace: escaped characters, numbers, times with common digits, and blocks that get full. */
#include "base/xml_text.h"

#include "harness/plain.h"

enum { ROOM = 4096, SMALL = 300 };

static char block[ROOM + HIERA_TEXT_MARGIN], file[1 << 20];
static size_t n_file;

static void spill(HieraText *text)
{
    memcpy(file + n_file, text->base, (size_t)(text->next - text->base));
    n_file += (size_t)(text->next - text->base);
    text->next = text->base;
}

static HieraText start(size_t room)
{
    n_file = 0;
    return (HieraText){block, block + room, block, spill};
}

/* Everything that was written. */
static const char *end(HieraText *text)
{
    spill(text);
    file[n_file] = '\0';
    return file;
}

static const char *escaped(const char *bytes, size_t n)
{
    HieraText text = start(ROOM);
    hiera_text_escaped(&text, bytes, n);
    return end(&text);
}

#define ESCAPED(literal) escaped(literal, sizeof literal - 1)
#define BAD              "\xef\xbf\xbd"

static void check_escapes(void)
{
    EXPECT_TEXT("plain text", ESCAPED("plain text"));
    EXPECT_TEXT("&lt;a b=&quot;c&quot;&gt; &amp;", ESCAPED("<a b=\"c\"> &"));
    EXPECT_TEXT("&#10;&#13;&#9;", ESCAPED("\n\r\t"));
    EXPECT_TEXT("\xc2\xb5s \xe2\x82\xac \xf0\x9f\x90\xa2", ESCAPED("\xc2\xb5s \xe2\x82\xac \xf0\x9f\x90\xa2"));
    EXPECT_TEXT("a" BAD "b", ESCAPED("a\x01"
                                     "b"));
    EXPECT_TEXT("a" BAD "b", ESCAPED("a\0b"));
    EXPECT_TEXT("a" BAD "b", ESCAPED("a\xff"
                                     "b"));
    EXPECT_TEXT("a" BAD, ESCAPED("a\xc2")); /* cut off */
}

static void check_numbers(void)
{
    HieraText text = start(ROOM);
    hiera_text_unsigned(&text, 0);
    hiera_text_char(&text, ' ');
    hiera_text_unsigned(&text, UINT64_MAX);
    hiera_text_char(&text, ' ');
    hiera_text_signed(&text, INT64_MIN);
    hiera_text_char(&text, ' ');
    hiera_text_signed(&text, -7);
    hiera_text_char(&text, ' ');
    hiera_text_hex(&text, 0xdeadbeef);
    EXPECT_TEXT("0 18446744073709551615 -9223372036854775808 -7 deadbeef", end(&text));
    char digits[32];
    EXPECT(4, hiera_text_format_unsigned(digits, 1000));
    EXPECT(0, memcmp(digits, "1000", 4));
    for (uint32_t i = 0; i < 10000; i++) {
        char expected[8];
        snprintf(expected, sizeof expected, "%u", i);
        digits[hiera_text_few_digits(digits, i)] = '\0';
        EXPECT_TEXT(expected, digits);
    }
}

static void check_seconds(void)
{
    static const struct {
        uint64_t ns;
        const char *expected;
    } rows[] = {{0, "0.000000000"},
                {1, "0.000000001"},
                {999999999, "0.999999999"},
                {1000000000, "1.000000000"},
                {12345678901234, "12345.678901234"},
                {UINT64_MAX, "18446744073.709551615"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        HieraText text = start(ROOM);
        hiera_text_seconds(&text, rows[i].ns);
        EXPECT_TEXT(rows[i].expected, end(&text));
        char plain[HIERA_SECONDS_MAX + 1] = "";
        EXPECT(strlen(rows[i].expected), hiera_text_format_seconds(plain, rows[i].ns));
        EXPECT_TEXT(rows[i].expected, plain);
    }
}

/* The text of a time is the same with and without the cache of earlier times. */
static void check_near_times(void)
{
    static const uint64_t times[][2] = {{1000000123, 1000000456},
                                        {1000000789, 1000009999},
                                        {1000009999, 1000010000},
                                        {5, 7},
                                        {5, UINT64_C(99999999999)},
                                        {9999, 10000},
                                        {9998, 9999},
                                        {9999, 9999},
                                        {1000010000, 1000010009},
                                        {1000010000, 1000010010},
                                        {1000010000, 1000010099},
                                        {1000010000, 1000010100},
                                        {1000010000, 1000010999},
                                        {1000010000, 1000011000},
                                        {1000010000, 1000019999},
                                        {1000010000, 1000020000}};
    HieraNear near = {0}, span = {0};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        char expected[128], first[32], second[32];
        snprintf(first, sizeof first, "%llu.%09llu", (unsigned long long)(times[i][0] / 1000000000),
                 (unsigned long long)(times[i][0] % 1000000000));
        snprintf(second, sizeof second, "%llu.%09llu", (unsigned long long)(times[i][1] / 1000000000),
                 (unsigned long long)(times[i][1] % 1000000000));
        snprintf(expected, sizeof expected, " start_time=\"%s\" finish_time=\"%s\"", first, second);
        HieraText text = start(ROOM);
        hiera_text_times_near(&text, &near, times[i][0], times[i][1]);
        EXPECT_TEXT(expected, end(&text));
        snprintf(expected, sizeof expected, "%llu\" d=\"%llu\"", (unsigned long long)times[i][0],
                 (unsigned long long)(times[i][1] - times[i][0]));
        text = start(ROOM);
        hiera_text_span_near(&text, &span, times[i][0], times[i][1]);
        EXPECT_TEXT(expected, end(&text));
    }
}

/* Likewise that of a number. */
static void check_near_numbers(void)
{
    static const uint32_t numbers[] = {0, 7, 9999, 10000, 10001, 19999, 20000, 123456, UINT32_MAX, 123457, 5, 123458};
    HieraNearNumber near = {0};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char expected[32], written[32] = "";
        snprintf(expected, sizeof expected, "%u", numbers[i]);
        *hiera_text_put_number(written, &near, numbers[i]) = '\0';
        EXPECT_TEXT(expected, written);
    }
}

/* An element is written again only if no digit of a time differs but the last four. */
static void check_again(void)
{
    HieraText text = start(ROOM);
    HieraNear near = {0};
    HieraAgain again = {0};
    EXPECT(0, hiera_text_again(&text, &again, 1, 2));
    const char *begin = text.next;
    HIERA_TEXT_LITERAL(&text, "<x");
    hiera_text_times_near(&text, &near, 1000000123, 1000000456);
    const char *behind = text.next;
    HIERA_TEXT_LITERAL(&text, " y=\"1\"/>");
    hiera_text_keep(&again, begin, text.next, (size_t)(text.next - behind), &near, 1000000123);
    EXPECT(1, hiera_text_again(&text, &again, 1000000500, 1000009999));
    EXPECT(0, hiera_text_again(&text, &again, 1000010000, 1000010001));
    EXPECT(0, hiera_text_again(&text, &again, 1000009000, 1000010001));
    EXPECT_TEXT("<x start_time=\"1.000000123\" finish_time=\"1.000000456\" y=\"1\"/>"
                "<x start_time=\"1.000000500\" finish_time=\"1.000009999\" y=\"1\"/>",
                end(&text));
}

/* All bytes arrive in order, for any room in the block. */
static void check_full_blocks(void)
{
    static char long_text[5000], expected[3 * 5000 + 1];
    for (size_t i = 0; i < sizeof long_text; i++)
        long_text[i] = "abcdefg<"[i % 8];
    for (size_t room = 1; room < SMALL; room++) {
        HieraText text = start(room);
        hiera_text_bytes(&text, long_text, sizeof long_text);
        hiera_text_escaped(&text, long_text, 16);
        memcpy(expected, long_text, sizeof long_text);
        strcpy(expected + sizeof long_text, "abcdefg&lt;abcdefg&lt;");
        EXPECT(0, strcmp(expected, end(&text)));
    }
}

int main(void)
{
    check_escapes();
    check_numbers();
    check_seconds();
    check_near_times();
    check_near_numbers();
    check_again();
    check_full_blocks();
    return n_failed != 0;
}
