/* A message goes from the begin of its send to the end of the call that completes its receive. */
#include "arrows.h"
#include "block.h"

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
    *before = (HieraThingBefore){from, thing->begin_ns};
}

HieraLongest *hiera_arrows_find(const HieraScene *scene, const GArray *details, gboolean on_demand)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(scene->match, &n);
    GArray *things = g_array_sized_new(FALSE, FALSE, sizeof(HieraThing), n);
    for (guint i = 0; i < n; i++) {
        if (!hiera_scene_shows(scene, messages[i].from) || !hiera_scene_shows(scene, arrival(&messages[i])))
            continue;
        gint64 begin_ns = hiera_scene_start(scene, messages[i].from);
        gint64 end_ns = hiera_scene_finish(scene, arrival(&messages[i]));
        const HieraThing thing = {begin_ns, MAX(0, end_ns - begin_ns), i};
        g_array_append_val(things, thing);
    }
    return hiera_longest_new(things, details, on_demand, add_arrow, scene);
}
