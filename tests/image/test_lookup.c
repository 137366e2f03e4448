/* What is at an address is the same whatever was asked before: of stripped files only those functions are looked at
 * that somebody asked for, and yet parts of others (.cold) are found to be parts. */
#include "image/flow/no_return.h"
#include "image/lookup/lookup.h"

#include <check.h>
#include <dlfcn.h>
#include <libxml/xmlversion.h>

extern const HieraCodeLibrary hiera_code_library;

typedef struct {
    HieraObject *object;
    HieraFunctions *functions; /* all of them were looked at */
    HieraDecoder *decoder;
} All;

static All look_at_all(const char *path)
{
    All all = {.object = hiera_object_open(path, NULL)};
    all.functions = hiera_functions_new(all.object, NULL);
    all.decoder = hiera_decoder_new(all.object, NULL);
    hiera_no_return_find(all.functions, all.decoder);
    return all;
}

static void all_free(All *all)
{
    hiera_decoder_free(all->decoder);
    hiera_functions_free(all->functions);
    hiera_object_free(all->object);
}

/* One address of each so many-th function, in the range with this number. @return how many there were */
static guint compare(const All *all, HieraCode *code, guint range, guint each)
{
    guint n = 0;
    for (guint i = all->functions->functions->len; i > 0; i--) {
        const HieraFunction *function = all->functions->functions->pdata[i - 1];
        if (function->ranges->len <= range || i % each != 0)
            continue;
        const HieraCodeRange *at = &g_array_index(function->ranges, HieraCodeRange, range);
        const HieraCodePlace *place =
            hiera_code_library.find(code, at->begin + (at->end - at->begin) / 2 - hiera_object_first_page(all->object));
        ck_assert_uint_eq(place->lines.begin, g_array_index(function->ranges, HieraCodeRange, 0).begin);
        n++;
    }
    return n;
}

START_TEST(functions_are_those_of_the_whole_file)
{
    Dl_info info;
    ck_assert(dladdr((void *)(uintptr_t)xmlCheckVersion, &info) != 0);
    All all = look_at_all(info.dli_fname);
    HieraCode *code = hiera_code_library.open(info.dli_fname, all.object->build_id, NULL);
    ck_assert_ptr_nonnull(code);
    if (_i == 0)
        ck_assert_uint_gt(compare(&all, code, 1, 1), 0); /* parts first: their functions are not known yet */
    ck_assert_uint_gt(compare(&all, code, 0, 7), 100);
    compare(&all, code, 1, 1);
    hiera_code_library.close(code);
    all_free(&all);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lookup");
    TCase *cases = tcase_create("all");
    tcase_add_loop_test(cases, functions_are_those_of_the_whole_file, 0, 2);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
