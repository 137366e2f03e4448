#include "export_parts.h"
#include "parallel/parallel.h"
#include "trace/pack_process.h"
#include <stdlib.h>

enum { PIECE = 1 << 16 };

gboolean hiera_export_open(HieraOutputFile *output, const HieraScope *scope, const char *path, GError **error)
{
    *output = (HieraOutputFile){0};
    return hiera_scope_agree(scope, !hiera_scope_leads(scope) || hiera_output_file_open(output, path, error));
}

gboolean hiera_export_close(HieraOutputFile *output, GError **error)
{
    return !output->stream || hiera_output_file_close(output, TRUE, error);
}

gboolean hiera_export_agree_on_error(const HieraScope *scope, GError **error)
{
    return scope->share.own ? hiera_parallel_agree_on_error(error) : !*error;
}

/* --- the minimum of a number over all processes --- */

static void pack_number(HieraPacker *to, gpointer number)
{
    hiera_pack_number(to, *(const gint64 *)number);
}

static void unpack_number(HieraUnpacker *from, gpointer number)
{
    gint64 *least = number, theirs = hiera_unpack_number(from);
    *least = MIN(*least, theirs);
}

gint64 hiera_export_least(const HieraScope *scope, const HieraTrace *trace, gint64 here)
{
    gint64 least = here;
    hiera_scope_gather_others(scope, trace, pack_number, unpack_number, &least);
    hiera_scope_tell(scope, trace, pack_number, unpack_number, &least);
    return least;
}

/* --- parts of a file, one for each processor --- */

typedef struct {
    char *text;
    size_t n;
} Part;

static Part make_part(guint32 processor, HieraExportPart *write, gpointer user)
{
    Part part;
    FILE *stream = open_memstream(&part.text, &part.n);
    if (!stream)
        g_error("no memory for what is exported");
    write(processor, stream, user);
    if (fclose(stream) != 0)
        g_error("no memory for what is exported");
    return part;
}

/* Make all parts of this process before sending one, because process 0 may not be ready to receive. */
static void send_parts(const HieraScope *scope, const HieraTrace *trace, HieraExportPart *write, gpointer user)
{
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(Part));
    for (guint32 i = 0; i < trace->n_processors; i++) {
        Part part;
        if (!scope->share.own[i])
            continue;
        part = make_part(i, write, user);
        g_array_append_val(parts, part);
    }
    HieraPacker *packer = hiera_packer_to(0);
    for (guint i = 0; i < parts->len; i++) {
        const Part *part = &g_array_index(parts, Part, i);
        hiera_pack_number(packer, (gint64)part->n);
        hiera_pack_bytes(packer, part->text, part->n);
        free(part->text);
    }
    hiera_packer_end(packer);
}

static void receive_part(HieraUnpacker *from, FILE *stream)
{
    guint8 piece[PIECE];
    for (gsize left = (gsize)hiera_unpack_number(from), n; left > 0; left -= n) {
        n = MIN(left, sizeof piece);
        hiera_unpack_bytes(from, piece, n);
        fwrite(piece, 1, n, stream);
    }
}

static void put_together(const HieraScope *scope, const HieraTrace *trace, HieraExportPart *write, FILE *stream,
                         gpointer user)
{
    guint n = hiera_scope_count_processes(scope);
    g_autofree HieraUnpacker **others = g_new0(HieraUnpacker *, n);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_is_own(scope, i)) {
            write(i, stream, user);
            continue;
        }
        HieraUnpacker **from = &others[scope->share.process[i]];
        if (!*from)
            *from = hiera_unpacker_from(scope->share.process[i], trace->catalog);
        receive_part(*from, stream);
    }
    for (guint i = 0; i < n; i++)
        g_clear_pointer(&others[i], hiera_unpacker_free);
}

void hiera_export_write_parts(const HieraScope *scope, const HieraTrace *trace, HieraExportPart *write, FILE *stream,
                              gpointer user)
{
    if (hiera_scope_leads(scope))
        put_together(scope, trace, write, stream, user);
    else
        send_parts(scope, trace, write, user);
}
