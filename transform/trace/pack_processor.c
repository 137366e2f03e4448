#include "pack_processor.h"
#include "before.h"

/* Pack the counts of a trace that begins late; `id` of windows and files is not needed, as they have indices by now. */
static void pack_before(const HieraBefore *before, HieraPacker *to)
{
    g_autoptr(GArray) comms = g_array_new(FALSE, FALSE, sizeof(guint32));
    GHashTableIter iterator;
    gpointer comm;
    hiera_pack_number(to, before != NULL);
    if (!before)
        return;
    g_hash_table_iter_init(&iterator, before->comms);
    while (g_hash_table_iter_next(&iterator, &comm, NULL)) {
        guint32 number = GPOINTER_TO_UINT(comm);
        g_array_append_val(comms, number);
    }
    hiera_pack_number(to, before->complete);
    hiera_pack_array(to, before->went);
    hiera_pack_array(to, before->carried);
    hiera_pack_array(to, comms);
}

static HieraBefore *unpack_before(HieraCatalog *catalog, HieraUnpacker *from)
{
    g_autoptr(GArray) comms = g_array_new(FALSE, FALSE, sizeof(guint32));
    HieraBefore *before = hiera_unpack_number(from) ? hiera_catalog_before(catalog) : NULL;
    if (!before)
        return NULL;
    before->complete = (gboolean)hiera_unpack_number(from);
    hiera_unpack_array(from, before->went);
    hiera_unpack_array(from, before->carried);
    hiera_unpack_array(from, comms);
    for (guint i = 0; i < before->went->len; i++) {
        HieraWent *went = &g_array_index(before->went, HieraWent, i);
        went->comm = hiera_unpack_communicator(from, went->comm);
        went->id = NULL;
    }
    for (guint i = 0; i < comms->len; i++)
        g_hash_table_add(before->comms,
                         GUINT_TO_POINTER(hiera_unpack_communicator(from, g_array_index(comms, guint32, i))));
    return before;
}

void hiera_processor_pack(const HieraProcessor *processor, HieraPacker *to)
{
    const char *const texts[] = {processor->path,  processor->application, processor->job,    processor->host,
                                 processor->clock, processor->predicted,   processor->end,    processor->seam,
                                 processor->past,  processor->stack,       processor->threads};
    hiera_pack_bytes(to, processor, sizeof *processor);
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        hiera_pack_text(to, texts[i]);
    pack_before(processor->before, to);
}

void hiera_processor_unpack(HieraProcessor *processor, HieraCatalog *catalog, HieraUnpacker *from)
{
    hiera_unpack_bytes(from, processor, sizeof *processor);
    const char **const texts[] = {&processor->path,  &processor->application, &processor->job,    &processor->host,
                                  &processor->clock, &processor->predicted,   &processor->end,    &processor->seam,
                                  &processor->past,  &processor->stack,       &processor->threads};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        *texts[i] = hiera_unpack_text(from);
    processor->before = unpack_before(catalog, from);
}
