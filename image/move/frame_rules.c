/* See frame_rules.h. Format: DWARF 5, section 6.4, and the Linux Standard Base (.eh_frame). */
#include "frame_rules.h"
#include "bytes.h"
#include "image/object/reader.h"
#include <dwarf.h>
#include <gelf.h>
#include <string.h>

/* --- reading unwind rules --- */

/* Size in bytes of an encoded address; 0: the encoding is not known. */
static guint size_of(guint encoding)
{
    switch (encoding & 0x0f) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        return 8;
    case DW_EH_PE_udata4:
    case DW_EH_PE_sdata4:
        return 4;
    default:
        return 0;
    }
}

/* Contents of the augmentation of a common entry, as its letters say. */
typedef struct {
    guint addresses; /* encoding of addresses */
    guint64 personality;
    gboolean is_pointer, sized, odd;
} Augmentation;

static void read_personality(HieraReader *reader, Augmentation *found)
{
    guint encoding = (guint)hiera_reader_number(reader, 1);
    found->personality = hiera_reader_encoded(reader, encoding & ~(guint)DW_EH_PE_indirect);
    found->is_pointer = (encoding & DW_EH_PE_indirect) != 0;
}

/* Read the augmentation of a common entry. @param section  the whole .eh_frame, with its address */
static Augmentation read_augmentation(const Dwarf_CIE *cie, const HieraReader *section)
{
    Augmentation found = {.addresses = DW_EH_PE_absptr, .sized = cie->augmentation[0] == 'z'};
    HieraReader reader = *section;
    reader.at = (gsize)(cie->augmentation_data - section->bytes);
    reader.n = reader.at + cie->augmentation_data_size;
    found.odd = cie->code_alignment_factor != 1 || (cie->augmentation[0] && !found.sized);
    for (const char *letter = cie->augmentation + found.sized; *letter && !found.odd; letter++) {
        if (*letter == 'R')
            found.addresses = (guint)hiera_reader_number(&reader, 1);
        else if (*letter == 'L')
            hiera_reader_number(&reader, 1); /* skip the encoding of the LSDA's address (HieraSymbol.lsda) */
        else if (*letter == 'P')
            read_personality(&reader, &found);
        else
            found.odd = TRUE;
        found.odd |= reader.bad;
    }
    found.odd |= size_of(found.addresses) == 0;
    return found;
}

/* Find the section .eh_frame. @param address  receives the address of the section in memory */
static Elf_Data *find_section(const HieraObject *object, guint64 *address)
{
    size_t names = 0;
    if (elf_getshdrstrndx(object->elf, &names) != 0)
        return NULL;
    for (Elf_Scn *at = elf_nextscn(object->elf, NULL); at; at = elf_nextscn(object->elf, at)) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(at, &header) ? elf_strptr(object->elf, names, header.sh_name) : NULL;
        *address = header.sh_addr;
        if (name && strcmp(name, ".eh_frame") == 0)
            return elf_rawdata(at, NULL);
    }
    return NULL;
}

static gboolean read_rules(const Dwarf_CIE *cie, const Dwarf_FDE *fde, const HieraReader *section,
                           HieraFrameRules *rules)
{
    HieraReader reader = *section;
    Augmentation augmentation = read_augmentation(cie, section);
    guint size = size_of(augmentation.addresses);
    if (size == 0)
        return FALSE;
    reader.at = (gsize)(fde->start - section->bytes);
    reader.n = (gsize)(fde->end - section->bytes);
    rules->begin = hiera_reader_encoded(&reader, augmentation.addresses & 0x7f);
    rules->end = rules->begin + hiera_reader_number(&reader, size);
    hiera_reader_skip(&reader, augmentation.sized ? hiera_reader_leb(&reader) : 0);
    rules->personality = augmentation.personality;
    rules->personality_is_pointer = augmentation.is_pointer;
    rules->is_odd = augmentation.odd;
    rules->initial = cie->initial_instructions;
    rules->initial_end = cie->initial_instructions_end;
    rules->data_alignment = cie->data_alignment_factor;
    rules->return_register = cie->return_address_register;
    rules->rules = reader.bytes + reader.at;
    rules->rules_end = fde->end;
    return !reader.bad;
}

gboolean hiera_frame_rules_find(const HieraObject *object, const HieraSymbol *frame, HieraFrameRules *rules)
{
    const unsigned char *ident = (const unsigned char *)elf_getident(object->elf, NULL);
    guint64 begin = 0;
    Elf_Data *data = find_section(object, &begin);
    Dwarf_CFI_Entry entry, common;
    Dwarf_Off unused;
    if (!data || !ident || dwarf_next_cfi(ident, data, true, frame->description, &unused, &entry) != 0 ||
        dwarf_cfi_cie_p(&entry) || dwarf_next_cfi(ident, data, true, entry.fde.CIE_pointer, &unused, &common) != 0 ||
        !dwarf_cfi_cie_p(&common))
        return FALSE;
    const HieraReader section = {.bytes = data->d_buf, .n = data->d_size, .address = begin};
    *rules = (HieraFrameRules){.begin = 0};
    return read_rules(&common.cie, &entry.fde, &section, rules);
}

/* --- copying unwind rules --- */

static void put_signed_leb(GByteArray *section, gint64 value)
{
    for (gboolean more = TRUE; more;) {
        guint8 byte = value & 0x7f;
        value >>= 7;
        more = !((value == 0 && !(byte & 0x40)) || (value == -1 && (byte & 0x40)));
        byte |= more ? 0x80 : 0;
        g_byte_array_append(section, &byte, 1);
    }
}

/* Fill up to a multiple of 8 bytes, and set the length of the entry that begins at a position. */
static void end_entry(GByteArray *section, guint begin)
{
    while ((section->len - begin) % 8 != 0)
        hiera_bytes_number(section, DW_CFA_nop, 1);
    guint32 length = GUINT32_TO_LE(section->len - begin - 4);
    memcpy(section->data + begin, &length, sizeof length);
}

/* Skip the operands of a rule. @return false if the rule is not known */
static gboolean skip_operands(HieraReader *reader, guint8 code)
{
    switch (code) {
    case DW_CFA_nop:
    case DW_CFA_remember_state:
    case DW_CFA_restore_state:
        return TRUE;
    case DW_CFA_offset_extended:
    case DW_CFA_register:
    case DW_CFA_def_cfa:
    case DW_CFA_offset_extended_sf:
    case DW_CFA_def_cfa_sf:
    case DW_CFA_val_offset:
    case DW_CFA_val_offset_sf:
    case DW_CFA_GNU_negative_offset_extended:
        hiera_reader_leb(reader);
        hiera_reader_leb(reader);
        return !reader->bad;
    case DW_CFA_restore_extended:
    case DW_CFA_undefined:
    case DW_CFA_same_value:
    case DW_CFA_def_cfa_register:
    case DW_CFA_def_cfa_offset:
    case DW_CFA_def_cfa_offset_sf:
    case DW_CFA_GNU_args_size:
        hiera_reader_leb(reader);
        return !reader->bad;
    case DW_CFA_expression:
    case DW_CFA_val_expression:
        hiera_reader_leb(reader);
        break;
    case DW_CFA_def_cfa_expression:
        break;
    default:
        if ((code & 0xc0) == 0x80) /* DW_CFA_offset */
            hiera_reader_leb(reader);
        return !reader->bad && (code & 0xc0) >= 0x80;
    }
    hiera_reader_skip(reader, hiera_reader_leb(reader));
    return !reader->bad;
}

/* Number of code bytes by which a rule advances; -1: the rule does something else. */
static gint64 take_advance(HieraReader *reader, guint8 code)
{
    if ((code & 0xc0) == DW_CFA_advance_loc)
        return code & 0x3f;
    if (code == DW_CFA_advance_loc1)
        return (gint64)hiera_reader_number(reader, 1);
    if (code == DW_CFA_advance_loc2)
        return (gint64)hiera_reader_number(reader, 2);
    return code == DW_CFA_advance_loc4 ? (gint64)hiera_reader_number(reader, 4) : -1;
}

gboolean hiera_frame_rules_copy(const HieraFrameRules *rules, guint32 begin, guint32 end, HieraFrameMap map,
                                gconstpointer data, GByteArray *section, HieraFrameGaps *gaps)
{
    static const char augmentation[] = "zPLR";
    guint common = section->len, last = begin;
    guint64 original = rules->begin;
    hiera_bytes_number(section, 0, 4);
    hiera_bytes_number(section, 0, 4);
    hiera_bytes_number(section, 1, 1);
    g_byte_array_append(section, (const guint8 *)augmentation, sizeof augmentation);
    hiera_bytes_leb(section, 1);
    put_signed_leb(section, rules->data_alignment);
    hiera_bytes_number(section, rules->return_register, 1);
    hiera_bytes_leb(section, 1 + 8 + 1 + 1);
    hiera_bytes_number(section, DW_EH_PE_absptr, 1);
    gaps->personality = section->len;
    hiera_bytes_number(section, 0, 8);
    hiera_bytes_number(section, DW_EH_PE_absptr, 1);
    hiera_bytes_number(section, DW_EH_PE_absptr, 1);
    g_byte_array_append(section, rules->initial, (guint)(rules->initial_end - rules->initial));
    end_entry(section, common);
    guint entry = section->len;
    hiera_bytes_number(section, 0, 4);
    hiera_bytes_number(section, section->len - common, 4);
    gaps->begin = section->len;
    hiera_bytes_number(section, 0, 8);
    hiera_bytes_number(section, end - begin, 8);
    hiera_bytes_leb(section, 8);
    gaps->lsda = section->len;
    hiera_bytes_number(section, 0, 8);
    HieraReader reader = {.bytes = rules->rules, .n = (gsize)(rules->rules_end - rules->rules)};
    while (reader.at < reader.n && !reader.bad) {
        const guint8 *rule = reader.bytes + reader.at++;
        gint64 advance = take_advance(&reader, *rule);
        if (advance >= 0) {
            original += (guint64)advance;
            guint32 there = map(original, data);
            reader.bad |= there < last;
            hiera_bytes_number(section, DW_CFA_advance_loc4, 1);
            hiera_bytes_number(section, there - last, 4);
            last = there;
        } else if (skip_operands(&reader, *rule)) {
            g_byte_array_append(section, rule, (guint)(reader.bytes + reader.at - rule));
        } else {
            reader.bad = TRUE;
        }
    }
    end_entry(section, entry);
    return !reader.bad;
}
