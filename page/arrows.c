/* A message goes from the begin of its send to the end of the call that completes its receive. */
#include "arrows.h"
#include "block.h"

#define MAX_OF_ROW  100
#define MAX_OF_ROWS 20000

guint32 hiera_arrow_end(const HieraMessage *message)
{
    return message->ended_by == HIERA_NONE ? message->to : message->ended_by;
}

static void add_arrow(GByteArray *block, const HieraThing *thing, HieraThingBefore *before, gconstpointer user)
{
    const HieraScene *scene = user;
    guint n;
    const HieraMessage *message = &hiera_match_peek_messages(scene->match, &n)[thing->index];
    guint32 from = message->from, to = hiera_arrow_end(message);
    gint64 end_ns = hiera_scene_finish(scene, to);
    HieraNumbers numbers;
    numbers.n = 0;
    hiera_numbers_add_signed(&numbers, (gint64)from - before->row);
    hiera_numbers_add(&numbers, hiera_scene_lane(scene, from));
    hiera_numbers_add_signed(&numbers, thing->begin_ns - before->begin_ns);
    hiera_numbers_add(&numbers, hiera_scene_lane(scene, to));
    /* If clocks differ, it ends before it begins. */
    hiera_numbers_add_signed(&numbers, end_ns - thing->begin_ns);
    hiera_numbers_add(&numbers, end_ns - hiera_scene_start(scene, to));
    /* The largest number has no next one. */
    hiera_numbers_add(&numbers, MIN(hiera_match_message_bytes(scene->match, thing->index), G_MAXINT64 - 1) + 1);
    hiera_numbers_add_signed(&numbers, (gint64)to - from);
    hiera_numbers_add_signed(&numbers, (gint64)message->to - to);
    hiera_block_append(block, &numbers);
    *before = (HieraThingBefore){from, thing->begin_ns};
}

/* @return FALSE if the page does not show the message */
static gboolean find_thing(const HieraScene *scene, const HieraMessage *message, guint32 index, HieraThing *thing)
{
    if (!hiera_scene_shows(scene, message->from) || !hiera_scene_shows(scene, hiera_arrow_end(message)))
        return FALSE;
    gint64 begin_ns = hiera_scene_start(scene, message->from);
    *thing = (HieraThing){begin_ns, MAX(0, hiera_scene_finish(scene, hiera_arrow_end(message)) - begin_ns), index};
    return TRUE;
}

HieraLongest *hiera_arrows_find(const HieraScene *scene, const GArray *details, gboolean on_demand)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(scene->match, &n);
    GArray *things = g_array_sized_new(FALSE, FALSE, sizeof(HieraThing), n);
    for (guint i = 0; i < n; i++) {
        HieraThing thing;
        if (find_thing(scene, &messages[i], i, &thing))
            g_array_append_val(things, thing);
    }
    return hiera_longest_new(things, details, on_demand, add_arrow, scene);
}

gint64 hiera_arrow_duration(const HieraScene *scene, const HieraMessage *message)
{
    HieraThing thing;
    return find_thing(scene, message, 0, &thing) ? thing.duration_ns : -1;
}

/* Whether one of its ends is the send, the receive or the call that completes it. @param rows  by row; NULL: only `row`
 */
static gboolean concerns(const HieraMessage *message, guint32 row, const guint8 *rows)
{
    const guint32 ends[] = {message->from, message->to, hiera_arrow_end(message)};
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        if (rows ? rows[ends[i]] : ends[i] == row)
            return TRUE;
    }
    return FALSE;
}

static GByteArray *make_arrows(const HieraScene *scene, guint32 row, const guint8 *rows, guint most)
{
    guint n, total = 0;
    const HieraMessage *messages = hiera_match_peek_messages(scene->match, &n);
    HieraThingBefore before = {0, 0};
    HieraThing thing;
    g_autoptr(GByteArray) arrows = g_byte_array_new();
    for (guint i = 0; i < n; i++) {
        if (!concerns(&messages[i], row, rows) || !find_thing(scene, &messages[i], i, &thing))
            continue;
        if (total++ < most)
            add_arrow(arrows, &thing, &before, scene);
    }
    GByteArray *block = g_byte_array_new();
    hiera_block_add(block, total);
    hiera_block_add(block, total - MIN(total, most));
    hiera_block_add(block, MIN(total, most));
    g_byte_array_append(block, arrows->data, arrows->len);
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
