/* Lists of ranks: what is written of ranks, and that what is written is read as the same ranks. */
#include "job/rank_list.h"

#include "harness/plain.h"

#include <stdlib.h>

enum { MOST = 8 };

typedef struct Row {
    const char *text;
    int n, ranks[MOST];
} Row;

static const Row rows[] = {
    {"", 0, {0}},
    {"5", 1, {5}},
    {"0-1", 2, {0, 1}},
    {"0 2", 2, {0, 2}}, /* two ranks are no run, unless they are neighbours */
    {"0-4:2", 3, {0, 2, 4}},
    {"0-6:2 9", 5, {0, 2, 4, 6, 9}},
    {"0-2 5-6", 5, {0, 1, 2, 5, 6}},
    {"3 2 1", 3, {3, 2, 1}}, /* the order of a communicator */
    {"1 1", 2, {1, 1}},
    {"? 0-2 ?", 5, {-1, 0, 1, 2, -1}},
    {"0-2147483646:1073741823", 3, {0, 1073741823, 2147483646}},
};

static const char *const wrong[] = {"", "x", "?", "1,2", "3-1", "1-", "-1", "0-6:0", "0-6:", "1 x", " 1", "1;"};

static void check_row(const Row *row)
{
    char *text = hiera_rank_list_format(row->ranks, row->n);
    expect_text(__LINE__, row->text, row->text, text ? text : "no memory");
    free(text);
    bool has_strangers = strchr(row->text, '?') != NULL;
    expect_number(__LINE__, row->text, row->n > 0 && !has_strangers,
                  hiera_rank_list_is_valid(row->text, strlen(row->text)));
    for (int rank = 0; rank < 12 && !has_strangers; rank++) {
        bool is_there = false;
        for (int i = 0; i < row->n; i++)
            is_there |= row->ranks[i] == rank;
        expect_number(__LINE__, row->text, is_there, hiera_rank_list_has(row->text, strlen(row->text), rank));
    }
}

/* A list is a part of a longer text. */
static void check_length(void)
{
    EXPECT(1, hiera_rank_list_is_valid("1 2/all", 3));
    EXPECT(1, hiera_rank_list_has("1 2/all", 3, 2));
    EXPECT(0, hiera_rank_list_has("1 2 3", 3, 3));
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_row(&rows[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        expect_number(__LINE__, wrong[i], 0, hiera_rank_list_is_valid(wrong[i], strlen(wrong[i])));
    check_length();
    return n_failed != 0;
}
