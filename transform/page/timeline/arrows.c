/* Messages as arrows in the timeline: from the begin of the send to the end of the call that completes the receive. */
#include "arrows.h"
#include "base/block.h"
#include "base/together.h"

#define MAX_OF_ROW  100
#define MAX_OF_ROWS 20000

guint32 hiera_arrow_end(const HieraMessage *message)
{
    return message->ended_by == HIERA_NONE ? message->to : message->ended_by;
}

/* Indices of the numbers that are written for a message (HieraDrawn.numbers). */
enum { FROM, FROM_LANE, BEGIN, TO_LANE, LENGTH, DURATION, BYTES, TO, RECEIVE };

static void describe(const HieraScene *scene, const HieraPageItem *item, gint64 *numbers)
{
    guint n;
    const HieraMessage *message = &hiera_match_peek_messages(scene->match, &n)[item->index];
    guint32 to = hiera_arrow_end(message);
    gint64 end_ns = hiera_scene_finish(scene, to);
    numbers[FROM] = hiera_scene_number(scene, message->from);
    numbers[FROM_LANE] = hiera_scene_lane(scene, message->from);
    numbers[BEGIN] = item->begin_ns;
    numbers[TO_LANE] = hiera_scene_lane(scene, to);
    numbers[LENGTH] = end_ns - item->begin_ns; /* can be negative if the clocks of sender and receiver differ */
    numbers[DURATION] = end_ns - hiera_scene_start(scene, to);
    /* MIN, so that + 1 does not overflow. */
    numbers[BYTES] = MIN(hiera_match_message_bytes(scene->match, (guint32)item->index), G_MAXINT64 - 1) + 1;
    numbers[TO] = hiera_scene_number(scene, to);
    numbers[RECEIVE] = hiera_scene_number(scene, message->to);
}

static void add_arrow(GByteArray *block, const gint64 *of, HieraPageItemBefore *before)
{
    HieraNumbers numbers;
    numbers.n = 0;
    hiera_numbers_add_signed(&numbers, of[FROM] - before->row);
    hiera_numbers_add(&numbers, of[FROM_LANE]);
    hiera_numbers_add_signed(&numbers, of[BEGIN] - before->begin_ns);
    hiera_numbers_add(&numbers, of[TO_LANE]);
    hiera_numbers_add_signed(&numbers, of[LENGTH]);
    hiera_numbers_add(&numbers, of[DURATION]);
    hiera_numbers_add(&numbers, of[BYTES]);
    hiera_numbers_add_signed(&numbers, of[TO] - of[FROM]);
    hiera_numbers_add_signed(&numbers, of[RECEIVE] - of[TO]);
    hiera_block_append(block, &numbers);
    *before = (HieraPageItemBefore){(guint32)of[FROM], of[BEGIN]};
}

static const HieraPageItemKind kind = {describe, add_arrow};

/* Make the HieraPageItem of a message. @return FALSE if the page does not show the message */
static gboolean find_item(const HieraScene *scene, const HieraMessage *message, guint32 index, HieraPageItem *item)
{
    if (!hiera_scene_shows(scene, message->from) || !hiera_scene_shows(scene, hiera_arrow_end(message)))
        return FALSE;
    gint64 begin_ns = hiera_scene_start(scene, message->from);
    *item = (HieraPageItem){begin_ns, MAX(0, hiera_scene_finish(scene, hiera_arrow_end(message)) - begin_ns),
                            hiera_scene_number(scene, message->from), hiera_scene_number(scene, message->to), index};
    return TRUE;
}

HieraLongest *hiera_arrows_find(const HieraScene *scene, const GArray *details, gboolean on_demand)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(scene->match, &n);
    GArray *items = g_array_sized_new(FALSE, FALSE, sizeof(HieraPageItem), n);
    for (guint i = 0; i < n; i++) {
        HieraPageItem item;
        if (hiera_scene_owns(scene, messages[i].from) && find_item(scene, &messages[i], i, &item))
            g_array_append_val(items, item);
    }
    return hiera_longest_new(items, details, on_demand, &kind, scene);
}

gint64 hiera_arrow_duration(const HieraScene *scene, const HieraMessage *message)
{
    HieraPageItem item;
    return find_item(scene, message, 0, &item) ? item.duration_ns : -1;
}

/* Whether a row is the send or the receive of a message, or the call that completes the receive. @param rows  by row;
 * NULL: only `row` */
static gboolean concerns(const HieraMessage *message, guint32 row, const guint8 *rows)
{
    const guint32 ends[] = {message->from, message->to, hiera_arrow_end(message)};
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        if (rows ? rows[ends[i]] : ends[i] == row)
            return TRUE;
    }
    return FALSE;
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
    const HieraPageItem *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->other > y->other) - (x->other < y->other);
}

/* Find the messages that the operation `row`, or those in `rows`, send or receive; sorted by row of the sender. */
static GArray *find_concerned(const HieraScene *scene, guint32 row, const guint8 *rows)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(scene->match, &n);
    GArray *items = g_array_new(FALSE, FALSE, sizeof(HieraPageItem));
    HieraPageItem item;
    for (guint i = 0; i < n; i++) {
        if (concerns(&messages[i], row, rows) && hiera_scene_owns(scene, messages[i].from) &&
            find_item(scene, &messages[i], i, &item))
            g_array_append_val(items, item);
    }
    g_array_sort(items, compare_rows); /* g_array_sort is stable, so equal rows keep the order of messages */
    return items;
}

/* Return the first `most` messages of all processes, with the numbers that are written. */
static GArray *draw_first(const HieraScene *scene, const GArray *items, guint most)
{
    GArray *drawn = g_array_new(FALSE, TRUE, sizeof(HieraDrawn));
    g_array_set_size(drawn, MIN(items->len, most));
    for (guint i = 0; i < drawn->len; i++) {
        HieraDrawn *of = &g_array_index(drawn, HieraDrawn, i);
        of->item = g_array_index(items, HieraPageItem, i);
        describe(scene, &of->item, of->numbers);
    }
    hiera_scope_gather_array(scene->scope, scene->trace, drawn);
    g_array_sort(drawn, compare_rows); /* stable: of equal rows, messages of this process stay first */
    g_array_set_size(drawn, MIN(drawn->len, most));
    return drawn;
}

static GByteArray *make_arrows(const HieraScene *scene, guint32 row, const guint8 *rows, guint most)
{
    HieraPageItemBefore before = {0, 0};
    GByteArray *block = g_byte_array_new();
    g_autoptr(GArray) items = find_concerned(scene, row, rows), drawn = draw_first(scene, items, most);
    gint64 total = hiera_page_add_up(scene->scope, scene->trace, items->len);
    hiera_block_add(block, total);
    hiera_block_add(block, total - drawn->len);
    hiera_block_add(block, drawn->len);
    for (guint i = 0; i < drawn->len; i++)
        add_arrow(block, g_array_index(drawn, HieraDrawn, i).numbers, &before);
    return block;
}

GByteArray *hiera_arrows_of(const HieraScene *scene, guint32 row)
{
    return make_arrows(scene, row, NULL, MAX_OF_ROW);
}

GByteArray *hiera_arrows_of_rows(const HieraScene *scene, const guint8 *rows)
{
    return make_arrows(scene, HIERA_NONE, rows, MAX_OF_ROWS);
}
