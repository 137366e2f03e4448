/* Makes the block `found`: the operations that a search has found; of many only the longest. */
#include "found.h"
#include "base/block.h"

#define MAX_FOUND 5000

typedef struct {
    guint32 row;
    gint64 length_ns;
} Found;

/* Compare two operations: the longer one comes first; of equally long ones the smaller row. */
static gint compare_found(gconstpointer a, gconstpointer b)
{
    const Found *x = a, *y = b;
    if (x->length_ns != y->length_ns)
        return x->length_ns > y->length_ns ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Keep the longest MAX_FOUND operations. @return length of the shortest one kept; -1: there are fewer than that */
static gint64 cut(GArray *found)
{
    g_array_sort(found, compare_found);
    if (found->len < MAX_FOUND)
        return -1;
    g_array_set_size(found, MAX_FOUND);
    return g_array_index(found, Found, MAX_FOUND - 1).length_ns;
}

/* Find the longest of the chosen operations that the page shows. @param total  becomes the number of all of them */
static GArray *find_longest(const HieraScene *scene, const guint8 *chosen, guint64 *total)
{
    GArray *longest = g_array_new(FALSE, FALSE, sizeof(Found));
    gint64 enough_ns = -1; /* MAX_FOUND operations are longer, so shorter ones are not collected */
    *total = 0;
    for (guint32 row = 0; row < scene->trace->n_operations; row++) {
        if (!chosen[row] || !hiera_scene_shows(scene, row))
            continue;
        const Found found = {row, hiera_scene_finish(scene, row) - hiera_scene_start(scene, row)};
        (*total)++;
        if (found.length_ns <= enough_ns)
            continue;
        g_array_append_val(longest, found);
        if (longest->len == 2 * MAX_FOUND)
            enough_ns = cut(longest);
    }
    cut(longest);
    return longest;
}

static void add_row(GByteArray *block, const HieraScene *scene, const Found *found)
{
    hiera_block_add(block, hiera_scene_lane(scene, found->row));
    hiera_block_add(block, scene->trace->depth[found->row]);
    hiera_block_add(block, hiera_scene_start(scene, found->row));
    hiera_block_add(block, found->length_ns);
    hiera_block_add(block, scene->order.position[scene->trace->site[found->row]]);
    hiera_block_add(block, found->row);
    hiera_block_add(block, scene->waiting[found->row]);
}

GByteArray *hiera_found_make(const HieraScene *scene, const guint8 *chosen)
{
    guint64 total;
    g_autoptr(GArray) longest = find_longest(scene, chosen, &total);
    GByteArray *block = g_byte_array_new();
    hiera_block_add(block, (gint64)total);
    hiera_block_add(block, longest->len);
    for (guint i = 0; i < longest->len; i++)
        add_row(block, scene, &g_array_index(longest, Found, i));
    return block;
}

guint8 *hiera_found_by_site(const HieraScene *scene, const guint32 *sites, guint n)
{
    g_autofree guint8 *wanted = g_new0(guint8, scene->order.n + 1);
    guint8 *chosen = g_new(guint8, scene->trace->n_operations + 1);
    for (guint i = 0; i < n; i++)
        wanted[MIN(sites[i], scene->order.n)] = 1;
    wanted[scene->order.n] = 0;
    for (guint32 row = 0; row < scene->trace->n_operations; row++)
        chosen[row] = wanted[scene->order.position[scene->trace->site[row]]];
    return chosen;
}
