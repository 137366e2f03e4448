/* Messages: each, of several lines too, is one write, so that those of ranks that share a standard error do not mix. */
#include "base/message.h"

#include "harness/plain.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int packets[2]; /* a pipe that keeps writes apart */
static char got[8192];

static const char *next(void)
{
    ssize_t n = read(packets[0], got, sizeof got - 1);
    got[n > 0 ? n : 0] = '\0';
    return got;
}

int main(void)
{
    static char longest[6000];
    size_t lines = 0;
    stderr = fdopen(dup(STDERR_FILENO), "w"); /* for expectations */
    if (!stderr || pipe2(packets, O_DIRECT | O_NONBLOCK) != 0 || dup2(packets[1], STDERR_FILENO) < 0)
        return 77;
    hiera_message("one %d", 1);
    expect_text(__LINE__, "a line", "hiera: one 1\n", next());
    hiera_message_lines("HIERA_PROBE: ", "a mistake\n  its line\n  ^\n\nand more");
    expect_text(__LINE__, "lines",
                "hiera: HIERA_PROBE: a mistake\nhiera:   its line\nhiera:   ^\nhiera: \nhiera: and more\n", next());
    expect_text(__LINE__, "all in one", "", next());
    memset(longest, 'x', sizeof longest - 1);
    for (size_t i = 900; i < sizeof longest; i += 900)
        longest[i] = '\n';
    hiera_message_lines("", longest);
    for (const char *text = next(); *text; text = next()) {
        expect_number(__LINE__, "whole lines", '\n', text[strlen(text) - 1]);
        for (; *text; text++)
            lines += *text == '\n';
    }
    expect_number(__LINE__, "lines of many writes", 7, (long)lines);
    hiera_message_set_quiet(true);
    hiera_message_lines("", "nothing");
    hiera_message("nothing");
    expect_text(__LINE__, "quiet", "", next());
    return n_failed > 0;
}
