/* A message goes from the begin of its send to the end of the call that completes its receive. */
#include "arrows.h"
#include "block.h"

#define MAX_OF_ROW 100

/* The call at whose end a person sees the message arrive. */
static guint32 arrival(const HieraMessage *message)
{
    return message->ended_by == HIERA_NONE ? message->to : message->ended_by;
}

static void add_arrow(GByteArray *block, const HieraThing *thing, HieraThingBefore *before, gconstpointer user)
{
    const HieraScene *scene = user;
    guint n;
    const HieraMessage *message = &hiera_match_peek_messages(scene->match, &n)[thing->index];
    guint32 from = message->from, to = arrival(message);
    hiera_block_add_signed(block, (gint64)from - before->row);
    hiera_block_add(block, hiera_scene_lane(scene, from));
    hiera_block_add_signed(block, thing->begin_ns - before->begin_ns);
    hiera_block_add(block, hiera_scene_lane(scene, to));
    hiera_block_add(block, thing->duration_ns);
    hiera_block_add(block, hiera_match_message_bytes(scene->match, thing->index) + 1);
    hiera_block_add_signed(block, (gint64)to - from);
    hiera_block_add_signed(block, (gint64)message->to - to);
    *before = (HieraThingBefore){from, thing->begin_ns};
}

/* @return FALSE if the page does not show the message */
static gboolean find_thing(const HieraScene *scene, const HieraMessage *message, guint32 index, HieraThing *thing)
{
    if (!hiera_scene_shows(scene, message->from) || !hiera_scene_shows(scene, arrival(message)))
        return FALSE;
    gint64 begin_ns = hiera_scene_start(scene, message->from);
    *thing = (HieraThing){begin_ns, MAX(0, hiera_scene_finish(scene, arrival(message)) - begin_ns), index};
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

/* The send, the receive, and the call that completes it. */
static gboolean concerns(const HieraMessage *message, guint32 row)
{
    return message->from == row || message->to == row || arrival(message) == row;
}

GByteArray *hiera_arrows_of(const HieraScene *scene, guint32 row)
{
    guint n, total = 0;
    const HieraMessage *messages = hiera_match_peek_messages(scene->match, &n);
    HieraThingBefore before = {0, 0};
    HieraThing thing;
    g_autoptr(GByteArray) arrows = g_byte_array_new();
    for (guint i = 0; i < n; i++) {
        if (!concerns(&messages[i], row) || !find_thing(scene, &messages[i], i, &thing))
            continue;
        if (total++ < MAX_OF_ROW)
            add_arrow(arrows, &thing, &before, scene);
    }
    GByteArray *block = g_byte_array_new();
    hiera_block_add(block, total);
    hiera_block_add(block, MIN(total, MAX_OF_ROW));
    g_byte_array_append(block, arrows->data, arrows->len);
    return block;
}
