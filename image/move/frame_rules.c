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

/* From where the frame is counted (the canonical frame address, CFA). */
typedef struct {
    guint64 reg;
    gint64 offset;
} Base;
enum { STACK_POINTER = 7, EXPRESSION = 255 };

/* Rules that are being written. */
typedef struct {
    GByteArray *section;
    const HieraFrameCopy *copy;
    guint next;         /* index of the next move of the stack pointer */
    guint32 at;         /* position in the copy */
    guint32 moved;      /* bytes by which the stack pointer is lower there, */
    guint32 told;       /* and what the rules that are written say of that */
    gint64 alignment;   /* of data */
    Base base, kept[8]; /* `kept`: for DW_CFA_restore_state */
    guint n_kept;
} Rules;

/* Follow a rule that may say from where the frame is counted. @return  whether that is possible */
static gboolean follow(Rules *rules, const guint8 *rule, const guint8 *end)
{
    HieraReader reader = {.bytes = rule, .n = (gsize)(end - rule), .at = 1};
    switch (*rule) {
    case DW_CFA_def_cfa:
    case DW_CFA_def_cfa_sf:
    case DW_CFA_def_cfa_register:
        rules->base.reg = hiera_reader_leb(&reader);
        break;
    case DW_CFA_def_cfa_expression:
        rules->base.reg = EXPRESSION;
        break;
    case DW_CFA_remember_state:
        if (rules->n_kept == G_N_ELEMENTS(rules->kept))
            return FALSE;
        rules->kept[rules->n_kept++] = rules->base;
        break;
    case DW_CFA_restore_state:
        if (rules->n_kept == 0)
            return FALSE;
        rules->base = rules->kept[--rules->n_kept];
        break;
    default:
        break;
    }
    if (*rule == DW_CFA_def_cfa || *rule == DW_CFA_def_cfa_offset)
        rules->base.offset = (gint64)hiera_reader_leb(&reader);
    else if (*rule == DW_CFA_def_cfa_sf || *rule == DW_CFA_def_cfa_offset_sf)
        rules->base.offset = hiera_reader_signed_leb(&reader) * rules->alignment;
    return !reader.bad;
}

/* Go to a position of the copy, to which the next rule applies. */
static void advance(Rules *rules, guint32 to)
{
    guint32 n = to - rules->at;
    if (n > 0 && n < 0x40) {
        hiera_bytes_number(rules->section, DW_CFA_advance_loc | n, 1);
    } else if (n > 0) {
        hiera_bytes_number(rules->section, n <= G_MAXUINT16 ? DW_CFA_advance_loc2 : DW_CFA_advance_loc4, 1);
        hiera_bytes_number(rules->section, n, n <= G_MAXUINT16 ? 2 : 4);
    }
    rules->at = to;
}

/* Say, where it matters, by how much the stack pointer is lower from a position on. */
static void tell(Rules *rules, guint32 from, guint32 moved)
{
    if (rules->base.reg != STACK_POINTER || rules->told == moved)
        return;
    advance(rules, from);
    hiera_bytes_number(rules->section, DW_CFA_def_cfa_offset, 1);
    hiera_bytes_leb(rules->section, (guint64)rules->base.offset + moved);
    rules->told = moved;
}

/* Say that for all positions before one. The rules of the original apply where it is not moved. */
static void tell_until(Rules *rules, guint32 end)
{
    tell(rules, rules->at, rules->moved);
    for (; rules->next < rules->copy->n_moves && rules->copy->moves[rules->next].at < end; rules->next++) {
        rules->moved = rules->copy->moves[rules->next].by;
        tell(rules, rules->copy->moves[rules->next].at, rules->moved);
    }
}

static gboolean put_rules(Rules *rules, const HieraFrameRules *from)
{
    guint64 original = from->begin;
    HieraReader reader = {.bytes = from->rules, .n = (gsize)(from->rules_end - from->rules)};
    while (reader.at < reader.n && !reader.bad) {
        const guint8 *rule = reader.bytes + reader.at++;
        gint64 distance = take_advance(&reader, *rule);
        if (distance >= 0) {
            original += (guint64)distance;
            guint32 there = rules->copy->map(original, rules->copy->data);
            reader.bad |= there < rules->at;
            tell_until(rules, there);
            tell(rules, there, 0);
            advance(rules, there);
        } else if (skip_operands(&reader, *rule) && follow(rules, rule, reader.bytes + reader.at)) {
            g_byte_array_append(rules->section, rule, (guint)(reader.bytes + reader.at - rule));
        } else {
            reader.bad = TRUE;
        }
    }
    if (!reader.bad)
        tell_until(rules, rules->copy->end);
    return !reader.bad;
}

/* Append the common entry. @return  whether all its rules are known */
static gboolean put_common(Rules *rules, const HieraFrameRules *from, HieraFrameGaps *gaps)
{
    static const char augmentation[] = "zPLR";
    GByteArray *section = rules->section;
    guint common = section->len;
    hiera_bytes_number(section, 0, 4);
    hiera_bytes_number(section, 0, 4);
    hiera_bytes_number(section, 1, 1);
    g_byte_array_append(section, (const guint8 *)augmentation, sizeof augmentation);
    hiera_bytes_leb(section, 1);
    put_signed_leb(section, from->data_alignment);
    hiera_bytes_number(section, from->return_register, 1);
    hiera_bytes_leb(section, 1 + 8 + 1 + 1);
    hiera_bytes_number(section, DW_EH_PE_absptr, 1);
    gaps->personality = section->len;
    hiera_bytes_number(section, 0, 8);
    hiera_bytes_number(section, DW_EH_PE_absptr, 1);
    hiera_bytes_number(section, DW_EH_PE_absptr, 1);
    HieraReader reader = {.bytes = from->initial, .n = (gsize)(from->initial_end - from->initial)};
    while (reader.at < reader.n && !reader.bad) {
        const guint8 *rule = reader.bytes + reader.at++;
        reader.bad |= !skip_operands(&reader, *rule) || !follow(rules, rule, reader.bytes + reader.at);
    }
    g_byte_array_append(section, from->initial, (guint)reader.n);
    end_entry(section, common);
    return !reader.bad;
}

gboolean hiera_frame_rules_copy(const HieraFrameRules *from, const HieraFrameCopy *copy, GByteArray *section,
                                HieraFrameGaps *gaps)
{
    Rules rules = {.section = section,
                   .copy = copy,
                   .at = copy->begin,
                   .alignment = from->data_alignment,
                   .base = {.reg = EXPRESSION}};
    guint common = section->len;
    if (!put_common(&rules, from, gaps))
        return FALSE;
    guint entry = section->len;
    hiera_bytes_number(section, 0, 4);
    hiera_bytes_number(section, section->len - common, 4);
    gaps->begin = section->len;
    hiera_bytes_number(section, 0, 8);
    hiera_bytes_number(section, copy->end - copy->begin, 8);
    hiera_bytes_leb(section, 8);
    gaps->lsda = section->len;
    hiera_bytes_number(section, 0, 8);
    gboolean is_good = put_rules(&rules, from);
    end_entry(section, entry);
    return is_good;
}
