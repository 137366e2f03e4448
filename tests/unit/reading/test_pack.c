/* What is packed is unpacked: also in parts, wherever these end. */
#include "suites.h"
#include "trace/pack.h"
#include "trace/pack_piece.h"
#include <check.h>

enum { NUMBERS = 400000 }; /* more than one part */

static GPtrArray *parts; /* GBytes */

static void keep_part(gpointer user, const guint8 *bytes, gsize n)
{
    (void)user;
    g_ptr_array_add(parts, g_bytes_new(bytes, n));
}

static guint8 *next_part(gpointer next, gsize *n)
{
    GBytes *part = g_ptr_array_index(parts, (*(guint *)next)++);
    return g_memdup2(g_bytes_get_data(part, n), g_bytes_get_size(part));
}

static void pack_all(void)
{
    HieraPacker *packer = hiera_packer_new();
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (gint64 i = 0; i < NUMBERS; i++)
        g_array_append_val(numbers, i);
    hiera_packer_flush_by(packer, keep_part, NULL);
    hiera_pack_bytes(packer, "odd", 3);
    hiera_pack_text(packer, "send");
    hiera_pack_array(packer, numbers);
    hiera_pack_text(packer, "send");
    hiera_pack_text(packer, NULL);
    hiera_pack_text(packer, "");
    hiera_packer_flush(packer);
    hiera_packer_free(packer);
}

START_TEST(parts_are_put_together)
{
    guint next = 0, n_wrong = 0;
    char odd[3];
    parts = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    g_autoptr(HieraCatalog) catalog = hiera_catalog_new();
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(gint64));
    pack_all();
    HieraUnpacker *unpacker = hiera_unpacker_new(catalog, next_part, &next);
    hiera_unpack_bytes(unpacker, odd, sizeof odd);
    const char *text = hiera_unpack_text(unpacker);
    hiera_unpack_array(unpacker, numbers);
    ck_assert_str_eq(text, "send");
    ck_assert_uint_eq(numbers->len, NUMBERS);
    for (gint64 i = 0; i < NUMBERS; i++)
        n_wrong += g_array_index(numbers, gint64, i) != i;
    ck_assert_uint_eq(n_wrong, 0);
    ck_assert_ptr_eq(hiera_unpack_text(unpacker), text);
    ck_assert_ptr_null(hiera_unpack_text(unpacker));
    ck_assert_str_eq(hiera_unpack_text(unpacker), "");
    ck_assert_uint_gt(parts->len, 2);
    ck_assert_uint_eq(next, parts->len);
    hiera_unpacker_free(unpacker);
    g_clear_pointer(&parts, g_ptr_array_unref);
}
END_TEST

static HieraCatalog *filled_catalog(void)
{
    HieraCatalog *catalog = hiera_catalog_new();
    const char *id = hiera_catalog_intern(catalog, "w", 1), *strides = hiera_catalog_intern(catalog, "0-6:2 9 ?", 9);
    const HieraCommunicator *made =
        hiera_catalog_communicator(catalog, id, strides, "", hiera_catalog_intern(catalog, "grid", 4));
    hiera_catalog_object(catalog, id, made, NULL);
    hiera_catalog_set_dims(catalog, made->index, hiera_catalog_intern(catalog, "2 3", 3));
    hiera_catalog_set_neighbors(catalog, made->index, 4, "1-3", "0-6:2 ?");
    hiera_catalog_counter(catalog, hiera_catalog_intern(catalog, "proc:rss", 8), hiera_catalog_intern(catalog, "B", 1),
                          TRUE);
    return catalog;
}

START_TEST(catalogs_agree)
{
    guint next = 0;
    parts = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    g_autoptr(HieraCatalog) theirs = filled_catalog(), own = hiera_catalog_new();
    hiera_catalog_communicator(own, hiera_catalog_intern(own, "c", 1), "", "", NULL); /* so that numbers differ */
    HieraPacker *packer = hiera_packer_new();
    hiera_packer_flush_by(packer, keep_part, NULL);
    hiera_catalog_pack(theirs, packer);
    hiera_packer_flush(packer);
    HieraUnpacker *unpacker = hiera_unpacker_new(own, next_part, &next);
    hiera_catalog_unpack(unpacker);
    ck_assert_uint_eq(hiera_unpack_communicator(unpacker, 0), 1);
    ck_assert_uint_eq(hiera_unpack_communicator(unpacker, HIERA_NONE), HIERA_NONE);
    const HieraCommunicator *found = hiera_catalog_peek_communicator(own, 1);
    ck_assert_str_eq(found->id, "w");
    ck_assert_str_eq(found->name, "grid");
    ck_assert_str_eq(found->dims_text, "2 3");
    ck_assert(found->object && found->open);
    ck_assert_int_eq(hiera_ranks_at(found->ranks, 3), 6);
    const HieraNeighbors *neighbors = hiera_catalog_peek_neighbors(own, 1, 4);
    ck_assert_int_eq(hiera_ranks_count(neighbors->in), 3);
    ck_assert_int_eq(hiera_ranks_at(neighbors->out, 4), HIERA_STRANGER);
    ck_assert(hiera_catalog_find_counter(own, "proc:rss")->level);
    hiera_unpacker_free(unpacker);
    hiera_packer_free(packer);
    g_clear_pointer(&parts, g_ptr_array_unref);
}
END_TEST

/* A piece of four calls, of which the second asked for any source, the third for any source and tag; the fourth is a
 * probe in vain that asked for any. */
static HieraPiece *make_wild_piece(HieraBlockPool *pool, HieraCatalog *catalog, guint keep)
{
    const char *none = hiera_catalog_intern(catalog, "", 0);
    const HieraSite site = {.level = none, .class_name = none, .operation = none, .file = none};
    const HieraSite *added = hiera_catalog_site(catalog, &site);
    HieraPiece *piece = hiera_piece_new(pool, keep);
    for (guint i = 0; i < 4; i++) {
        const HieraOperation operation = {.site = added,
                                          .parent = HIERA_NO_PARENT,
                                          .comm = HIERA_NONE,
                                          .other = HIERA_NONE,
                                          .rtag = HIERA_ABSENT,
                                          .rbytes = -1,
                                          .any_source = i > 0,
                                          .any_tag = i > 1,
                                          .missed = i == 3};
        hiera_piece_add(piece, &operation);
    }
    return piece;
}

static void expect_rows(const GArray *rows, guint n, guint32 first, guint32 second)
{
    const guint32 expected[] = {first, second};
    ck_assert_uint_eq(rows->len, n);
    for (guint i = 0; i < n; i++)
        ck_assert_uint_eq(g_array_index(rows, guint32, i), expected[i]);
}

/* @param rows  of the piece that are packed; NULL: all */
static HieraPiece *pack_wild(HieraBlockPool *pool, const GArray *rows)
{
    guint next = 0;
    parts = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    g_autoptr(HieraCatalog) catalog = hiera_catalog_new(), theirs = hiera_catalog_new();
    HieraPiece *piece = make_wild_piece(pool, theirs, HIERA_KEEP_WILDCARDS);
    HieraPiece *unpacked = hiera_piece_new(pool, HIERA_KEEP_WILDCARDS);
    HieraPacker *packer = hiera_packer_new();
    hiera_packer_flush_by(packer, keep_part, NULL);
    hiera_catalog_pack(theirs, packer);
    if (rows)
        hiera_piece_pack_chosen(piece, rows, packer);
    else
        hiera_piece_pack(piece, packer);
    hiera_packer_flush(packer);
    HieraUnpacker *unpacker = hiera_unpacker_new(catalog, next_part, &next);
    hiera_catalog_unpack(unpacker);
    hiera_piece_unpack(unpacked, unpacker);
    hiera_unpacker_free(unpacker);
    hiera_packer_free(packer);
    hiera_piece_free(piece);
    g_clear_pointer(&parts, g_ptr_array_unref);
    return unpacked;
}

START_TEST(wildcards_are_kept_on_demand)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint32));
    const guint32 chosen[] = {0, 2};
    g_array_append_vals(rows, chosen, G_N_ELEMENTS(chosen));
    HieraBlockPool *pool = hiera_block_pool_new(HIERA_PIECE_BLOCK_BYTES(HIERA_KEEP_WILDCARDS));
    g_autoptr(HieraCatalog) catalog = hiera_catalog_new();
    HieraPiece *plain = make_wild_piece(pool, catalog, 0), *all = pack_wild(pool, NULL), *part = pack_wild(pool, rows);
    expect_rows(plain->any_source, 0, 0, 0);
    expect_rows(plain->any_tag, 0, 0, 0);
    expect_rows(all->any_source, 2, 1, 2);
    expect_rows(all->any_tag, 1, 2, 0);
    expect_rows(part->any_source, 1, 1, 0);
    expect_rows(part->any_tag, 1, 1, 0);
    hiera_piece_free(plain);
    hiera_piece_free(all);
    hiera_piece_free(part);
    hiera_block_pool_free(pool);
}
END_TEST

TCase *pack_tests(void)
{
    TCase *tests = tcase_create("what processes tell each other");
    tcase_add_test(tests, parts_are_put_together);
    tcase_add_test(tests, catalogs_agree);
    tcase_add_test(tests, wildcards_are_kept_on_demand);
    return tests;
}
