/* HIERA_FILTER: which operations the rules hide, and which rules are reported as wrong. A process reads the rules once,
 * so each case runs in a child process. */
#include "write/filter_rules.h"

#include "base/settings.h"
#include "harness/plain.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

HieraSettings hiera_settings;
static int n_blamed;

void hiera_settings_blame(const char *variable, const char *value, size_t length, const char *what)
{
    (void)variable, (void)value, (void)length, (void)what;
    n_blamed++;
}

/* The only valid names: an operation and its group. */
static bool is_one_of(const char *word, size_t length, const char *a, const char *b)
{
    return (length == strlen(a) && memcmp(word, a, length) == 0) ||
           (length == strlen(b) && memcmp(word, b, length) == 0);
}

static bool is_known(const char *word, size_t length)
{
    return is_one_of(word, length, "send", "p2p") || is_one_of(word, length, "barrier", "coll");
}

static bool is_send(const HieraSubject *subject, const char *word, size_t length, bool group)
{
    (void)subject;
    return is_one_of(word, length, "send", group ? "p2p" : "send");
}

/* A send of rank 3 on a communicator that the program has created. */
static const HieraSubject subject = {.is_named = is_send,
                                     .level = "mpi",
                                     .comm = "P0_comm1",
                                     .comm_name = "rows",
                                     .rank = 3,
                                     .bytes = 1000,
                                     .time_ns = 5000};

typedef struct Row {
    const char *filter;
    int hidden; /* whether the operation is hidden */
    int blamed; /* number of wrong rules */
} Row;

static const Row rows[] = {
    {"", 0, 0},
    {"all", 1, 0},
    {"send", 1, 0},
    {"p2p", 1, 0},
    {"barrier", 0, 0},
    {"operation=send", 1, 0},
    {"operation=p2p", 0, 0}, /* a group is not an operation */
    {"level=mpi", 1, 0},
    {"level=mp", 0, 0},
    /* the last rule that matches decides */
    {"p2p,+send", 0, 0},
    {"+send,p2p", 1, 0},
    {"all,+level=mpi/bytes=2k-", 1, 0},
    {"all,+level=mpi/bytes=-2k", 0, 0},
    /* all conditions of a rule must match */
    {"send/rank=3", 1, 0},
    {"send/rank=0-2", 0, 0},
    {"send/rank=0-2 3", 1, 0},
    {"send/rank=1-9:2", 1, 0},
    {"send/rank=0-9:2", 0, 0},
    {"bytes=1000", 1, 0},
    {"bytes=1k", 0, 0},
    {"bytes=999-1000", 1, 0},
    {"bytes=1001-", 0, 0},
    {"time=-5us", 1, 0},
    {"time=-4.9us", 0, 0},
    {"time=5000ns-1ms", 1, 0},
    {"time=1s-", 0, 0},
    {"comm=rows", 1, 0},
    {"comm=P0_comm1", 1, 0},
    {"comm=world", 0, 0},
    {"file=*", 0, 0}, /* it is not a function */
    /* wrong rules are ignored, the others hold */
    {"sned", 0, 1},
    {"sned,send", 1, 1},
    {"send/", 0, 1},
    {"bytes=", 0, 1},
    {"bytes=10-5", 0, 1},
    {"bytes=5us", 0, 1},
    {"time=5", 0, 1},
    {"rank=x", 0, 1},
    {"rank=3-1", 0, 1},
    {"size=3", 0, 1},
    {",,send,", 1, 0},
};

static void check(const Row *row)
{
    hiera_settings.filter = row->filter;
    hiera_rules_load(is_known);
    expect_number(__LINE__, row->filter, row->hidden, hiera_rules_hide(&subject));
    expect_number(__LINE__, row->filter, row->blamed, n_blamed);
    uint8_t met[8];
    for (size_t i = 0; i < hiera_rules_count(); i++)
        met[i] = hiera_rules_name(i, &subject);
    HieraFilterVerdict verdict = hiera_rules_foresee(met);
    if (verdict != HIERA_FILTER_ASK)
        expect_number(__LINE__, row->filter, row->hidden, verdict == HIERA_FILTER_HIDE);
}

/* A call that has not ended is hidden only if its size and duration cannot change that. */
static void check_open(void)
{
    HieraSubject open = subject;
    open.open = true;
    hiera_settings.filter = "time=-1ms";
    hiera_rules_load(is_known);
    EXPECT(0, hiera_rules_hide(&open));
    EXPECT(1, hiera_rules_hide(&subject));
    EXPECT(1, hiera_rules_concern_regions());
}

static void check_patterns(void)
{
    EXPECT(1, hiera_rules_match("a*c", 3, "abbc"));
    EXPECT(1, hiera_rules_match("*", 1, ""));
    EXPECT(1, hiera_rules_match("*ab*ab", 6, "abxabab"));
    EXPECT(0, hiera_rules_match("a*c", 3, "abcd"));
    EXPECT(0, hiera_rules_match("", 0, "a"));
    EXPECT(1, hiera_rules_match("src/*.c and more", 7, "src/x/y.c"));
}

static void in_child(void (*body)(const Row *), const Row *row)
{
    pid_t child = fork();
    if (child == 0) {
        body(row);
        _exit(n_failed != 0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    n_failed += status != 0;
}

static void open_case(const Row *row)
{
    (void)row;
    check_open();
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        in_child(check, &rows[i]);
    in_child(open_case, NULL);
    check_patterns();
    return n_failed != 0;
}
