#include "objects.h"
#include <string.h>

#ifdef HIERA_HAVE_LIBDW

#include "base/parse_numbers.h"
#include "base/safe_text.h"
#include "libdw.h"
#include "lines/lines.h"
#include "lines/readable.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_MASK    (~(GElf_Addr)4095)
#define FUNCTION_MAX 1000 /* longest name of a function in bytes; the same as in the collector */

/* A program or shared library; `module` is NULL if no file with its build id was found. */
typedef struct {
    Dwfl *dwfl;
    Dwfl_Module *module;
    GElf_Addr begin; /* address at which libdw puts the object's first page; the trace's offsets count from that page */
    GHashTable *lines;  /* offset of a call → Line, as a cache */
    GHashTable *frames; /* offset of a call → HieraFrameVariables, as a cache */
} ObjectFile;

typedef struct {
    char *file; /* path of the source file; NULL: unknown */
    int line;
    char *described; /* "NAME+0x1a2b in FUNCTION" if `file` is unknown; NULL: no function is known */
} Line;

struct HieraObjects {
    GHashTable *files; /* name of the object in the trace → ObjectFile; → NULL: several objects have this name */
};

static GMutex lock;
static GHashTable *opened; /* "build id\npath\nfolder of the trace" → ObjectFile */

static gboolean has_build_id(Dwfl_Module *module, const char *build)
{
    const unsigned char *bytes;
    GElf_Addr address;
    int n = hiera_dw_files.dwfl_module_build_id(module, &bytes, &address);
    if (n <= 0 || strlen(build) != 2 * (gsize)n)
        return FALSE;
    for (int i = 0; i < n; i++)
        if (g_ascii_xdigit_value(build[2 * i]) * 16 + g_ascii_xdigit_value(build[2 * i + 1]) != bytes[i])
            return FALSE;
    return TRUE;
}

/* Find libdw's address of the object's first page, from the program headers of its file. */
static gboolean find_begin(ObjectFile *object)
{
    GElf_Addr bias, first = G_MAXUINT64;
    size_t n = 0;
    Elf *elf = hiera_dw_files.dwfl_module_getelf(object->module, &bias);
    if (!elf || hiera_dw_files.elf_getphdrnum(elf, &n) != 0)
        return FALSE;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr header;
        if (hiera_dw_files.gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD)
            first = MIN(first, header.p_vaddr & PAGE_MASK);
    }
    object->begin = first + bias;
    return first != G_MAXUINT64;
}

/* Open a regular file for reading; return -1 for other files, as a trace can name a FIFO or a device, too. */
static int open_regular(const char *path)
{
    struct stat facts;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

static void close_object(ObjectFile *object)
{
    if (object->dwfl)
        hiera_dw_files.dwfl_end(object->dwfl);
    object->dwfl = NULL;
    object->module = NULL;
}

static gboolean try_file(ObjectFile *object, const char *path, const char *build)
{
    static Dwfl_Callbacks callbacks;
    int fd = hiera_libdw_load() ? open_regular(path) : -1;
    if (fd < 0)
        return FALSE;
    callbacks.find_elf = hiera_dw_files.dwfl_build_id_find_elf;
    callbacks.find_debuginfo = hiera_dw_files.dwfl_standard_find_debuginfo;
    callbacks.section_address = hiera_dw_files.dwfl_offline_section_address;
    object->dwfl = hiera_dw.dwfl_begin(&callbacks);
    if (object->dwfl) {
        hiera_dw_files.dwfl_report_begin(object->dwfl);
        object->module = hiera_dw_files.dwfl_report_elf(object->dwfl, path, path, fd, 0, false);
        hiera_dw.dwfl_report_end(object->dwfl, NULL, NULL);
    }
    if (!object->module)
        close(fd);
    if (object->module && find_begin(object) && has_build_id(object->module, build))
        return TRUE;
    close_object(object);
    return FALSE;
}

/* Return an object from `opened`, or open its file, at `path` or else beside the trace. Call with the lock held. */
static ObjectFile *open_object(const char *build, const char *path, const char *trace)
{
    g_autofree char *folder = g_path_get_dirname(trace), *base = g_path_get_basename(path);
    g_autofree char *beside = g_build_filename(folder, base, NULL);
    char *key = g_strconcat(build, "\n", path, "\n", folder, NULL);
    if (!opened)
        opened = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    ObjectFile *object = g_hash_table_lookup(opened, key);
    if (object) {
        g_free(key);
        return object;
    }
    object = g_new0(ObjectFile, 1);
    object->lines = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    object->frames = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)hiera_variables_free);
    if (!g_path_is_absolute(path) || !try_file(object, path, build))
        try_file(object, beside, build);
    g_hash_table_insert(opened, key, object);
    return object;
}

HieraObjects *hiera_objects_new(void)
{
    HieraObjects *objects = g_new0(HieraObjects, 1);
    objects->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return objects;
}

void hiera_objects_free(HieraObjects *objects)
{
    if (!objects)
        return;
    g_hash_table_unref(objects->files);
    g_free(objects);
}

gboolean hiera_objects_declare(HieraObjects *objects, const char *name, const char *build, const char *path,
                               const char *trace)
{
    gpointer known = NULL;
    g_mutex_lock(&lock);
    ObjectFile *object = open_object(build, path, trace);
    if (g_hash_table_lookup_extended(objects->files, name, NULL, &known) && known != object)
        object = NULL;
    g_hash_table_replace(objects->files, g_strdup(name), object);
    g_mutex_unlock(&lock);
    return object && object->module;
}

/* Return "NAME+0x1a2b in FUNCTION", to be freed with g_free; NULL if no symbol with a size covers the offset. */
static char *describe(const ObjectFile *object, guint64 offset, const char *place)
{
    char name[FUNCTION_MAX];
    GElf_Off inside;
    GElf_Sym facts;
    const char *symbol = hiera_dw_files.dwfl_module_addrinfo(object->module, object->begin + offset - 1, &inside,
                                                             &facts, NULL, NULL, NULL);
    if (!symbol || inside >= facts.st_size)
        return NULL;
    hiera_readable_symbol(name, sizeof name, symbol, NULL);
    g_autofree char *readable = g_utf8_make_valid(name, -1);
    return g_strdup_printf("%s in %s", place, readable);
}

/* Return the source line of the call at an offset; looked up once, then cached. Call with the lock held. */
static const Line *find_line(ObjectFile *object, guint64 offset, const char *place)
{
    gint64 key = (gint64)offset;
    Line *line = g_hash_table_lookup(object->lines, &key);
    if (line)
        return line;
    line = g_new0(Line, 1);
    /* `offset` is a return address, behind the call instruction, so the byte before it belongs to the call. */
    const char *file = hiera_lines_caller(object->module, object->begin + offset - 1, &line->line);
    line->file = file ? hiera_text_of_bytes(file) : NULL;
    line->described = file ? NULL : describe(object, offset, place);
    g_hash_table_insert(object->lines, g_memdup2(&key, sizeof key), line);
    return line;
}

/* Parse a place "NAME+0x1a2b" into object and offset. Return NULL if it is no such place, or the object has no file. */
static ObjectFile *find_object(const HieraObjects *objects, const char *place, guint64 *offset)
{
    const char *plus = strrchr(place, '+');
    gint64 number;
    if (!plus || !g_str_has_prefix(plus, "+0x") || !hiera_number_parse_hex(plus + 3, strlen(plus + 3), &number) ||
        number == 0)
        return NULL;
    *offset = (guint64)number;
    g_autofree char *name = g_strndup(place, (gsize)(plus - place));
    ObjectFile *object = g_hash_table_lookup(objects->files, name);
    return object && object->module ? object : NULL;
}

/* Return the source name of the function at an offset in an object. Call with the lock held. */
static char *name_function(const ObjectFile *object, guint64 offset)
{
    char name[FUNCTION_MAX];
    GElf_Addr address = object->begin + offset;
    const char *symbol = hiera_dw.dwfl_module_addrname(object->module, address);
    int line;
    if (!symbol)
        return NULL;
    hiera_readable_symbol(name, sizeof name, symbol, hiera_lines_source(object->module, address, &line));
    return g_utf8_make_valid(name, -1);
}

char *hiera_objects_find_function(HieraObjects *objects, const char *place)
{
    guint64 offset;
    const ObjectFile *object = find_object(objects, place, &offset);
    if (!object)
        return NULL;
    g_mutex_lock(&lock);
    char *name = name_function(object, offset);
    g_mutex_unlock(&lock);
    return name;
}

static const Line *look_up(HieraObjects *objects, const char *place)
{
    guint64 offset;
    ObjectFile *object = find_object(objects, place, &offset);
    if (!object)
        return NULL;
    g_mutex_lock(&lock);
    const Line *found = find_line(object, offset, place);
    g_mutex_unlock(&lock);
    return found;
}

const char *hiera_objects_describe(HieraObjects *objects, const char *place)
{
    const Line *found = look_up(objects, place);
    return found ? found->described : NULL;
}

gboolean hiera_objects_find_line(HieraObjects *objects, const char *place, const char **file, guint32 *line)
{
    const Line *found = look_up(objects, place);
    if (!found || !found->file)
        return FALSE;
    *file = found->file;
    *line = (guint32)MAX(found->line, 0);
    return TRUE;
}

char *hiera_objects_find_variable(HieraObjects *objects, const char *place, gint64 *inside, gint64 *bytes)
{
    guint64 offset;
    const ObjectFile *object = find_object(objects, place, &offset);
    if (!object)
        return NULL;
    GElf_Addr address = object->begin + offset;
    g_mutex_lock(&lock);
    HieraSizedVariable found = hiera_variables_find(object->module, address);
    g_mutex_unlock(&lock);
    *inside = (gint64)address - found.begin;
    *bytes = found.bytes;
    return found.name;
}

/* Return what is in the frame of a call; looked up once, then cached. Call with the lock held. */
static const HieraFrameVariables *find_frame(ObjectFile *object, guint64 offset)
{
    gint64 key = (gint64)offset;
    HieraFrameVariables *frame = g_hash_table_lookup(object->frames, &key);
    if (frame)
        return frame;
    frame = hiera_variables_of_frame(object->module, object->begin + offset - 1);
    g_hash_table_insert(object->frames, g_memdup2(&key, sizeof key), frame);
    return frame;
}

/* Return the variable at an address behind the register of the frame. Of several, as those of a Fortran EQUIVALENCE,
 * the one in which all others lie; NULL: none, or no such one. */
static const HieraSizedVariable *find_in_frame(const HieraFrameVariables *frame, gint64 address)
{
    const HieraSizedVariable *found = NULL;
    gint64 begin = G_MAXINT64, end = G_MININT64;
    for (guint i = 0; i < frame->variables->len; i++) {
        const HieraSizedVariable *one = &g_array_index(frame->variables, HieraSizedVariable, i);
        if (address < one->begin || address >= one->begin + one->bytes)
            continue;
        begin = MIN(begin, one->begin);
        end = MAX(end, one->begin + one->bytes);
        if (!found || one->bytes > found->bytes)
            found = one;
    }
    return found && found->begin == begin && found->begin + found->bytes == end ? found : NULL;
}

const char *hiera_objects_find_local(HieraObjects *objects, const char *place, gint64 stack_pointer,
                                     gint64 frame_pointer, gint64 address, gint64 *begin, gint64 *bytes)
{
    guint64 offset;
    ObjectFile *object = find_object(objects, place, &offset);
    if (!object)
        return NULL;
    g_mutex_lock(&lock);
    const HieraFrameVariables *frame = find_frame(object, offset);
    gint64 from = frame->by_frame_pointer ? frame_pointer : stack_pointer;
    const HieraSizedVariable *found = find_in_frame(frame, address - from);
    g_mutex_unlock(&lock);
    *begin = found ? from + found->begin : 0;
    *bytes = found ? found->bytes : 0;
    return found ? found->name : NULL;
}

#else

HieraObjects *hiera_objects_new(void)
{
    return NULL;
}

void hiera_objects_free(HieraObjects *objects)
{
    (void)objects;
}

gboolean hiera_objects_declare(HieraObjects *objects, const char *name, const char *build, const char *path,
                               const char *trace)
{
    (void)objects, (void)name, (void)build, (void)path, (void)trace;
    return FALSE;
}

char *hiera_objects_find_function(HieraObjects *objects, const char *place)
{
    (void)objects, (void)place;
    return NULL;
}

const char *hiera_objects_describe(HieraObjects *objects, const char *place)
{
    (void)objects, (void)place;
    return NULL;
}

gboolean hiera_objects_find_line(HieraObjects *objects, const char *place, const char **file, guint32 *line)
{
    (void)objects, (void)place, (void)file, (void)line;
    return FALSE;
}

char *hiera_objects_find_variable(HieraObjects *objects, const char *place, gint64 *inside, gint64 *bytes)
{
    (void)objects, (void)place, (void)inside, (void)bytes;
    return NULL;
}

const char *hiera_objects_find_local(HieraObjects *objects, const char *place, gint64 stack_pointer,
                                     gint64 frame_pointer, gint64 address, gint64 *begin, gint64 *bytes)
{
    (void)objects, (void)place, (void)stack_pointer, (void)frame_pointer, (void)address, (void)begin, (void)bytes;
    return NULL;
}

#endif
