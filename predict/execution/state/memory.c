/* Memory as pages of known and unknown bytes. See memory.h. */
#include "memory.h"
#include "execution/code/step.h"
#include <gelf.h>
#include <string.h>

enum { RECENT = 64, PAGE = 4096, MOST_PAGES = 8192, MOST_READ = MOST_PAGES / 2, LONGEST_COPY = 16 << 20 };
#define LONGEST_FORGOTTEN ((guint64)1 << 34)
/* Begin of the heap's addresses, and of those for symbols outside all files: far from each other and from all files. */
#define HEAP    0x100000000000u
#define OUTSIDE 0x600000000000u
#define APART   65536

typedef struct {
    guint8 bytes[PAGE], known[PAGE];
} Contents;

typedef struct {
    guint64 number;
    Contents *contents; /* bytes of the page; NULL: none of them is known */
} Page;

typedef struct {
    guint64 begin, end;
} Block;

struct HieraKnownMemory {
    const HieraProgram *program;
    GHashTable *pages;        /* page number, as guint64 → Page */
    Page *recent[RECENT];     /* pages that were looked up last, by the low bits of the page number */
    guint n_contents;         /* number of pages with `contents` */
    Contents untouched;       /* buffer for an unchanged page of a file, if there are too many pages to store it */
    guint64 number_untouched; /* page number of the contents of `untouched` */
    GArray *blocks;           /* Block: address ranges allocated on the heap, sorted by address */
    guint64 next;             /* next free address on the heap */
    GPtrArray *names;
    GHashTable *by_name; /* name of a symbol outside all files → 1 + its index in `names` */
};

static void free_page(gpointer freed)
{
    Page *page = freed;
    g_free(page->contents);
    g_free(page);
}

static const HieraObject *executable_of(const HieraKnownMemory *memory)
{
    return memory->program->objects->pdata[0];
}

/* Return the address of a variable of a library, or of the executable's copy; 0: it is in none that is followed. */
static guint64 address_in_library(const HieraKnownMemory *memory, const char *name, guint64 *size)
{
    HieraTarget made = hiera_program_original(memory->program, name);
    const guint64 *copy = g_hash_table_lookup(executable_of(memory)->copies, name);
    *size = made.size;
    if (made.kind != HIERA_TARGET_INSIDE)
        return 0;
    return copy ? *copy : made.address;
}

/* The streams of C++ are made before main begins, by code that is not followed. Of those for bytes it is known of which
 * class they are, that no width is set, and which letters they have: code in headers asks for that. */
static void put_streams(HieraKnownMemory *memory)
{
    enum { OWN = 24, BASE = 264, WIDTH = 16, LETTERS = 240, IS_READY = 56, TABLE = 57, N_LETTERS = 256 };
    static const char *const names[][2] = {{"_ZSt3cin", "_ZTVSi"},  {"_ZSt4cout", "_ZTVSo"}, {"_ZSt4cerr", "_ZTVSo"},
                                           {"_ZSt4clog", "_ZTVSo"}, {"_ZSt4wcin"},           {"_ZSt5wcout"},
                                           {"_ZSt5wcerr"},          {"_ZSt5wclog"}};
    guint64 letters = HIERA_THREAD + 16 * (guint64)PAGE, size, unused;
    for (guint i = 0; memory->program->linked && i < G_N_ELEMENTS(names); i++) {
        guint64 at = address_in_library(memory, names[i][0], &size);
        guint64 class = names[i][1] ? address_in_library(memory, names[i][1], &unused) : 0;
        hiera_known_memory_forget(memory, at, at != 0 ? size : 0);
        if (at == 0 || class == 0 || size < BASE)
            continue;
        hiera_known_memory_write(memory, at, 8, TRUE, class + OWN);
        hiera_known_memory_write(memory, at + size - BASE + WIDTH, 8, TRUE, 0);
        hiera_known_memory_write(memory, at + size - BASE + LETTERS, 8, TRUE, letters);
        hiera_known_memory_write(memory, letters + IS_READY, 1, TRUE, 1);
        for (guint64 k = 0; k < N_LETTERS; k++)
            hiera_known_memory_write(memory, letters + TABLE + k, 1, TRUE, k);
    }
}

/* Write what fs points to: its own address, a number that guards the stack, and below it the thread's variables of the
 * executable with their first values. */
static void put_thread(HieraKnownMemory *memory)
{
    enum { GUARD = 0x28, MOST = 1 << 20 };
    const HieraObject *object = executable_of(memory);
    size_t n = 0;
    hiera_known_memory_write(memory, HIERA_THREAD, 8, TRUE, HIERA_THREAD);
    hiera_known_memory_write(memory, HIERA_THREAD + GUARD, 8, TRUE, HIERA_THREAD ^ G_GUINT64_CONSTANT(0x595dc0ffee00));
    for (size_t i = 0; object->elf && elf_getphdrnum(object->elf, &n) == 0 && i < n; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(object->elf, (int)i, &header) || header.p_type != PT_TLS || header.p_memsz > MOST)
            continue;
        guint64 align = MAX(header.p_align, 1), begin = HIERA_THREAD - (header.p_memsz + align - 1) / align * align;
        for (guint64 k = 0; k < header.p_memsz; k++) {
            gboolean in_file = k < header.p_filesz && header.p_offset + k < object->n_bytes;
            hiera_known_memory_write(memory, begin + k, 1, TRUE, in_file ? object->contents[header.p_offset + k] : 0);
        }
    }
}

/* The files that are open when a program begins: pointers that are no others, and not NULL. */
static void put_files(HieraKnownMemory *memory)
{
    static const char *const names[] = {"stdin", "stdout", "stderr"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        guint64 at = hiera_known_memory_address_of(memory, names[i]);
        hiera_known_memory_write(memory, at, 8, TRUE, HIERA_THREAD + ((guint64)i + 1) * PAGE);
    }
}

HieraKnownMemory *hiera_known_memory_new(const HieraProgram *program)
{
    HieraKnownMemory *memory = g_new0(HieraKnownMemory, 1);
    memory->program = program;
    memory->pages = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, free_page);
    memory->blocks = g_array_new(FALSE, FALSE, sizeof(Block));
    memory->next = HEAP;
    memory->number_untouched = G_MAXUINT64;
    memory->names = g_ptr_array_new();
    memory->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    put_streams(memory);
    put_thread(memory);
    put_files(memory);
    return memory;
}

void hiera_known_memory_free(HieraKnownMemory *memory)
{
    if (!memory)
        return;
    g_hash_table_unref(memory->pages);
    g_array_unref(memory->blocks);
    g_ptr_array_unref(memory->names);
    g_hash_table_unref(memory->by_name);
    g_free(memory);
}

/* Return the file (executable or library) whose address range contains an address; NULL: none. */
static const HieraObject *object_at(const HieraKnownMemory *memory, guint64 address)
{
    guint number = hiera_program_object(memory->program, address);
    return number == G_MAXUINT ? NULL : memory->program->objects->pdata[number];
}

guint64 hiera_known_memory_address_of(HieraKnownMemory *memory, const char *name)
{
    const guint64 *copy = g_hash_table_lookup(executable_of(memory)->copies, name);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(memory->by_name, name));
    if (copy)
        return *copy;
    if (number == 0) {
        g_ptr_array_add(memory->names, (gpointer)name);
        number = memory->names->len;
        g_hash_table_insert(memory->by_name, (gpointer)name, GUINT_TO_POINTER(number));
    }
    return OUTSIDE + (guint64)(number - 1) * APART;
}

const char *hiera_known_memory_name_at(const HieraKnownMemory *memory, guint64 address)
{
    const char *copied = g_hash_table_lookup(executable_of(memory)->imports, &address);
    guint64 number = (address - OUTSIDE) / APART;
    if (copied)
        return copied;
    return address >= OUTSIDE && number < memory->names->len ? memory->names->pdata[number] : NULL;
}

/* Find the pointer that the dynamic linker writes to an address when the file is loaded. @return FALSE: none */
static gboolean find_pointer(HieraKnownMemory *memory, const HieraObject *object, guint64 at, guint64 *value)
{
    const guint64 *code = g_hash_table_lookup(object->pointers, &at),
                  *target = code ? code : g_hash_table_lookup(object->data_pointers, &at),
                  *addend = g_hash_table_lookup(object->addends, &at);
    const char *name = target ? NULL : g_hash_table_lookup(object->imports, &at);
    if (target)
        *value = *target;
    if (!name)
        return target != NULL;
    HieraTarget meant = hiera_program_resolve(memory->program, object, name);
    *value = meant.kind == HIERA_TARGET_INSIDE    ? meant.address
             : meant.kind == HIERA_TARGET_NOWHERE ? 0
                                                  : hiera_known_memory_address_of(memory, name);
    if (addend && meant.kind == HIERA_TARGET_INSIDE)
        *value += *addend;
    return TRUE;
}

/* Fill a page as loading the file does: with its bytes, zeros behind them, and relocated pointers. */
static void fill_from(HieraKnownMemory *memory, const HieraObject *object, guint64 begin, Contents *page)
{
    for (guint i = 0; i < object->segments->len; i++) {
        const HieraSegment *segment = &g_array_index(object->segments, HieraSegment, i);
        guint64 from = MAX(begin, segment->address), to = MIN(begin + PAGE, segment->address + segment->n_bytes);
        guint64 zeros = MAX(begin, segment->address + segment->n_bytes),
                end = MIN(begin + PAGE, segment->address + segment->n_memory);
        if (from < to) {
            memcpy(page->bytes + (from - begin), segment->bytes + (from - segment->address), to - from);
            memset(page->known + (from - begin), 1, to - from);
        }
        if (zeros < end)
            memset(page->known + (zeros - begin), 1, end - zeros);
    }
    for (guint64 at = begin; at < begin + PAGE; at += 8) {
        guint64 address;
        if (g_hash_table_contains(object->thread_words, &at))
            memset(page->known + (at - begin), 0, 8);
        if (!find_pointer(memory, object, at, &address))
            continue;
        memcpy(page->bytes + (at - begin), &address, 8);
        memset(page->known + (at - begin), 1, 8);
    }
}

/* Fill the part of a page that is the executable's copy of a library's variable, with the library's initial value. */
static void copy_original(HieraKnownMemory *memory, const char *name, guint64 to, guint64 begin, Contents *page)
{
    HieraTarget from = hiera_program_original(memory->program, name);
    if (from.kind != HIERA_TARGET_INSIDE || to >= begin + PAGE || to + MIN(from.size, G_MAXINT64) <= begin)
        return;
    const HieraObject *object = object_at(memory, from.address);
    guint64 first = MAX(to, begin), end = MIN(to + from.size, begin + PAGE), read = G_MAXUINT64;
    Contents original;
    for (guint64 at = first; object && at < end; at++) {
        guint64 there = from.address + (at - to), number = there / PAGE;
        if (number != read) {
            memset(&original, 0, sizeof original);
            fill_from(memory, object, number * PAGE, &original);
            read = number;
        }
        page->bytes[at - begin] = original.bytes[there % PAGE];
        page->known[at - begin] = original.known[there % PAGE];
    }
}

static void fill(HieraKnownMemory *memory, guint64 begin, Contents *page)
{
    const HieraObject *object = object_at(memory, begin);
    GHashTableIter copies;
    gpointer name, address;
    if (object)
        fill_from(memory, object, begin, page);
    if (object != executable_of(memory) || !memory->program->linked)
        return;
    g_hash_table_iter_init(&copies, object->copies);
    while (g_hash_table_iter_next(&copies, &name, &address))
        copy_original(memory, name, *(const guint64 *)address, begin, page);
}

gboolean hiera_known_memory_is_constant(const HieraKnownMemory *memory, guint64 address)
{
    const HieraObject *object = object_at(memory, address);
    for (guint i = 0; object && i < object->segments->len; i++) {
        const HieraSegment *segment = &g_array_index(object->segments, HieraSegment, i);
        if (address >= segment->address && address - segment->address < segment->n_memory)
            return !segment->writable;
    }
    return FALSE;
}

static gboolean is_in_file(const HieraKnownMemory *memory, guint64 page)
{
    const HieraObject *object = object_at(memory, page * PAGE);
    for (guint i = 0; object && i < object->segments->len; i++) {
        const HieraSegment *segment = &g_array_index(object->segments, HieraSegment, i);
        if (page * PAGE < segment->address + segment->n_memory && (page + 1) * PAGE > segment->address)
            return TRUE;
    }
    return FALSE;
}

/* Find a page by its number; NULL: the page is as in its file, or was never written. */
static Page *find_page(HieraKnownMemory *memory, guint64 number)
{
    Page **recent = &memory->recent[number % RECENT], *page = *recent;
    if (page && page->number == number)
        return page;
    page = g_hash_table_lookup(memory->pages, &number);
    if (page)
        *recent = page;
    return page;
}

static Page *add_page(HieraKnownMemory *memory, guint64 number)
{
    Page *page = g_new0(Page, 1);
    page->number = number;
    g_hash_table_insert(memory->pages, &page->number, page);
    memory->recent[number % RECENT] = page;
    return page;
}

/* Return a page's contents for writing; NULL: too many pages are in use, and this page becomes unknown. */
static Contents *make_contents(HieraKnownMemory *memory, guint64 address)
{
    guint64 number = address / PAGE;
    Page *page = find_page(memory, number);
    gboolean is_new = !page;
    if (is_new)
        page = add_page(memory, number);
    if (!page->contents && memory->n_contents < MOST_PAGES) {
        page->contents = g_new0(Contents, 1);
        memory->n_contents++;
        if (is_new)
            fill(memory, number * PAGE, page->contents);
    }
    return page->contents;
}

/* Return a page's contents for reading; NULL: none of its bytes is known. */
static const Contents *peek_contents(HieraKnownMemory *memory, guint64 address)
{
    guint64 number = address / PAGE;
    const Page *page = find_page(memory, number);
    if (page)
        return page->contents;
    if (!is_in_file(memory, number))
        return NULL;
    if (memory->n_contents < MOST_READ)
        return make_contents(memory, address);
    if (memory->number_untouched != number) {
        memset(&memory->untouched, 0, sizeof memory->untouched);
        fill(memory, number * PAGE, &memory->untouched);
        memory->number_untouched = number;
    }
    return &memory->untouched;
}

static void forget_page(HieraKnownMemory *memory, guint64 number)
{
    Page *page = find_page(memory, number);
    if (!page && is_in_file(memory, number))
        page = add_page(memory, number);
    if (!page || !page->contents)
        return;
    g_free(g_steal_pointer(&page->contents));
    memory->n_contents--;
}

/* Make n bytes of one page unknown. */
static void forget_part(HieraKnownMemory *memory, guint64 address, gsize n)
{
    const Page *page = find_page(memory, address / PAGE);
    if (page ? !page->contents : !is_in_file(memory, address / PAGE))
        return;
    Contents *contents = make_contents(memory, address);
    if (contents)
        memset(contents->known + address % PAGE, 0, n);
}

gboolean hiera_known_memory_read(HieraKnownMemory *memory, guint64 address, guint width, guint64 *bits)
{
    guint64 read = 0;
    for (guint i = 0; i < width;) {
        guint64 at = (address + i) % PAGE;
        guint n = (guint)MIN(width - i, PAGE - at);
        const Contents *page = peek_contents(memory, address + i);
        if (!page || memchr(page->known + at, 0, n))
            return FALSE;
        memcpy((guint8 *)&read + i, page->bytes + at, n);
        i += n;
    }
    *bits = read;
    return TRUE;
}

void hiera_known_memory_write(HieraKnownMemory *memory, guint64 address, guint width, gboolean known, guint64 bits)
{
    for (guint i = 0; i < width;) {
        guint64 at = (address + i) % PAGE;
        guint n = (guint)MIN(width - i, PAGE - at);
        Contents *page = known ? make_contents(memory, address + i) : NULL;
        if (page) {
            memcpy(page->bytes + at, (const guint8 *)&bits + i, n);
            memset(page->known + at, 1, n);
        } else if (!known) {
            forget_part(memory, address + i, n);
        }
        i += n;
    }
}

void hiera_known_memory_forget(HieraKnownMemory *memory, guint64 address, guint64 n)
{
    for (guint64 i = 0; i < MIN(n, LONGEST_FORGOTTEN);) {
        guint64 at = (address + i) % PAGE, part = MIN(n - i, PAGE - at);
        if (part == PAGE)
            forget_page(memory, (address + i) / PAGE);
        else
            forget_part(memory, address + i, part);
        i += part;
    }
}

HieraKnownBytes *hiera_known_memory_copy(HieraKnownMemory *memory, guint64 address, guint64 n)
{
    gboolean any = FALSE;
    if (n == 0 || n > LONGEST_COPY)
        return NULL;
    HieraKnownBytes *copy = g_new0(HieraKnownBytes, 1);
    copy->n = n;
    copy->bytes = g_malloc0(n);
    copy->known = g_malloc0(n);
    for (guint64 i = 0; i < n;) {
        guint64 at = (address + i) % PAGE, part = MIN(n - i, PAGE - at);
        const Contents *page = peek_contents(memory, address + i);
        if (page) {
            memcpy(copy->bytes + i, page->bytes + at, part);
            memcpy(copy->known + i, page->known + at, part);
            any |= memchr(page->known + at, 1, part) != NULL;
        }
        i += part;
    }
    if (any)
        return copy;
    hiera_bytes_free(copy);
    return NULL;
}

void hiera_known_memory_paste(HieraKnownMemory *memory, guint64 address, guint64 n, const HieraKnownBytes *bytes)
{
    if (!bytes) {
        hiera_known_memory_forget(memory, address, n);
        return;
    }
    n = MIN(n, bytes->n);
    for (guint64 i = 0; i < n;) {
        guint64 at = (address + i) % PAGE, part = MIN(n - i, PAGE - at);
        Contents *page = make_contents(memory, address + i);
        if (page) {
            memcpy(page->bytes + at, bytes->bytes + i, part);
            memcpy(page->known + at, bytes->known + i, part);
        }
        i += part;
    }
}

void hiera_bytes_free(HieraKnownBytes *bytes)
{
    if (!bytes)
        return;
    g_free(bytes->bytes);
    g_free(bytes->known);
    g_free(bytes);
}

guint64 hiera_known_memory_allocate(HieraKnownMemory *memory, guint64 n)
{
    guint64 address = memory->next, bytes = MIN(n, (guint64)1 << 40);
    const Block block = {address, address + bytes};
    g_array_append_val(memory->blocks, block);
    memory->next += (bytes + 2 * PAGE - 1) / PAGE * PAGE;
    return address;
}

guint64 hiera_known_memory_next(const HieraKnownMemory *memory)
{
    return memory->next;
}

void hiera_known_memory_give(HieraKnownMemory *memory, gdouble n)
{
    gdouble bytes = CLAMP(n, 0, (gdouble)((guint64)1 << 40));
    memory->next += (guint64)bytes / PAGE * PAGE;
}

gboolean hiera_known_memory_has_given(const HieraKnownMemory *memory, guint64 address)
{
    return address >= HEAP && address < memory->next;
}

gboolean hiera_known_memory_bounds(const HieraKnownMemory *memory, guint64 address, guint64 *begin, guint64 *end)
{
    const HieraObject *object = object_at(memory, address);
    const HieraSymbol *variable = object ? hiera_object_variable(object, address) : NULL;
    const Block *all = (const Block *)(const void *)memory->blocks->data;
    guint low = 0, high = memory->blocks->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (all[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    gboolean in_block = low > 0 && address < all[low - 1].end;
    if (!variable && !in_block)
        return FALSE;
    *begin = variable ? variable->address : all[low - 1].begin;
    *end = variable ? variable->address + variable->size : all[low - 1].end;
    return TRUE;
}
