/* Draws a collective as a band from the begin of its last member to the end of the last one; the other members wait
 * before that. */
#include "bands.h"
#include "base/block.h"

typedef struct {
    guint n_shown; /* number of members that the page shows; 0: the other members of the struct are undefined */
    guint32 first_lane, last_lane, row; /* first and last lane with a member; row of the member that begins last */
    gint64 begin_ns, last_begin_ns, end_ns;
} Band;

static Band find_band(const HieraScene *scene, guint32 collective)
{
    guint n;
    const guint32 *rows = hiera_match_peek_members(scene->match, collective, &n);
    Band band = {0, G_MAXUINT32, 0, rows[0], G_MAXINT64, G_MININT64, G_MININT64};
    for (guint i = 0; i < n; i++) {
        if (!hiera_scene_shows(scene, rows[i]))
            continue;
        band.n_shown++;
        gint64 begin_ns = hiera_scene_start(scene, rows[i]);
        guint32 lane = hiera_scene_lane(scene, rows[i]);
        band.row = begin_ns > band.last_begin_ns ? rows[i] : band.row;
        band.begin_ns = MIN(band.begin_ns, begin_ns);
        band.last_begin_ns = MAX(band.last_begin_ns, begin_ns);
        band.end_ns = MAX(band.end_ns, hiera_scene_finish(scene, rows[i]));
        band.first_lane = MIN(band.first_lane, lane);
        band.last_lane = MAX(band.last_lane, lane);
    }
    return band;
}

/* Indices of the numbers that are written for a collective (HieraDrawn.numbers). */
enum { BEGIN, LAST_BEGIN, END, FIRST_LANE, LAST_LANE, MEMBERS, SITE, LANE };

static void describe(const HieraScene *scene, const HieraPageItem *item, gint64 *numbers)
{
    Band band = find_band(scene, (guint32)item->index);
    guint n;
    hiera_match_peek_members(scene->match, (guint32)item->index, &n);
    numbers[BEGIN] = band.begin_ns;
    numbers[LAST_BEGIN] = band.last_begin_ns;
    numbers[END] = band.end_ns;
    numbers[FIRST_LANE] = band.first_lane;
    numbers[LAST_LANE] = band.last_lane;
    numbers[MEMBERS] = n;
    numbers[SITE] = scene->order.position[scene->trace->site[band.row]];
    numbers[LANE] = hiera_scene_lane(scene, band.row);
}

static void add_band(GByteArray *block, const gint64 *of, HieraPageItemBefore *before)
{
    hiera_block_add_signed(block, of[BEGIN] - before->begin_ns);
    hiera_block_add(block, of[LAST_BEGIN] - of[BEGIN]);
    hiera_block_add(block, of[END] - of[BEGIN]);
    hiera_block_add(block, of[FIRST_LANE]);
    hiera_block_add(block, of[LAST_LANE] - of[FIRST_LANE]);
    hiera_block_add(block, of[MEMBERS]);
    hiera_block_add(block, of[SITE]);
    hiera_block_add(block, of[LANE]);
    *before = (HieraPageItemBefore){0, of[BEGIN]};
}

static const HieraPageItemKind kind = {describe, add_band};

/* Return the row of a collective's first member. The process with that member's rank writes the collective. */
static guint32 first_member(const HieraScene *scene, guint32 collective)
{
    guint n;
    return hiera_match_peek_members(scene->match, collective, &n)[0];
}

HieraLongest *hiera_bands_find(const HieraScene *scene, const GArray *details, gboolean on_demand)
{
    guint n;
    hiera_match_peek_collectives(scene->match, &n);
    GArray *items = g_array_sized_new(FALSE, FALSE, sizeof(HieraPageItem), n);
    for (guint32 i = 0; i < n; i++) {
        guint32 first = first_member(scene, i);
        if (!hiera_scene_owns(scene, first))
            continue;
        Band band = find_band(scene, i);
        if (band.n_shown < 2)
            continue;
        const HieraPageItem item = {band.begin_ns, band.end_ns - band.begin_ns, hiera_scene_number(scene, first), 0, i};
        g_array_append_val(items, item);
    }
    return hiera_longest_new(items, details, on_demand, &kind, scene);
}
