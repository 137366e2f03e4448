/* Character classes of <ctype.h>, for the locale "C". See library.h. */
#include "library.h"
#include <ctype.h>

enum { BELOW = 128, LETTERS = BELOW + 256 }; /* glibc's tables have entries for -128 to 255 */

/* Make a table as glibc has it for <ctype.h>. @return address of a pointer to the entry of character 0 */
static guint64 make_table(HieraProcess *process, guint width, guint (*entry)(gint letter))
{
    HieraKnownMemory *memory = process->state.memory;
    guint64 table = hiera_known_memory_allocate(memory, (guint64)LETTERS * width),
            pointer = hiera_known_memory_allocate(memory, sizeof table);
    for (gint i = -BELOW; i < LETTERS - BELOW; i++)
        hiera_known_memory_write(memory, table + (guint64)(i + BELOW) * width, width, TRUE, entry(i));
    hiera_known_memory_write(memory, pointer, sizeof table, TRUE, table + (guint64)BELOW * width);
    return pointer;
}

static void return_table(HieraProcess *process, HieraReturned *returned, guint which, guint width,
                         guint (*entry)(gint letter))
{
    if (process->letters[which] == 0)
        process->letters[which] = make_table(process, width, entry);
    returned->has_integer = TRUE;
    returned->integer = process->letters[which];
}

/* Whether a character is ASCII: only ASCII characters have classes in the locale "C". */
#define ASCII(letter) ((letter) >= 0 && (letter) < 128)

static guint kinds_of(gint letter)
{
    guint kinds = 0;
    if (!ASCII(letter))
        return 0;
#define KIND(is, bit) kinds |= is(letter) ? (guint)(bit) : 0
    KIND(isupper, _ISupper);
    KIND(islower, _ISlower);
    KIND(isalpha, _ISalpha);
    KIND(isdigit, _ISdigit);
    KIND(isxdigit, _ISxdigit);
    KIND(isspace, _ISspace);
    KIND(isprint, _ISprint);
    KIND(isgraph, _ISgraph);
    KIND(isblank, _ISblank);
    KIND(iscntrl, _IScntrl);
    KIND(ispunct, _ISpunct);
    KIND(isalnum, _ISalnum);
#undef KIND
    return kinds;
}

static guint lower_of(gint letter)
{
    return (guint)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
}

static guint upper_of(gint letter)
{
    return (guint)(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
}

static void return_kinds(HieraProcess *process, HieraReturned *returned)
{
    return_table(process, returned, 0, 2, kinds_of);
}

static void return_lower(HieraProcess *process, HieraReturned *returned)
{
    return_table(process, returned, 1, 4, lower_of);
}

static void return_upper(HieraProcess *process, HieraReturned *returned)
{
    return_table(process, returned, 2, 4, upper_of);
}

static void return_of(HieraProcess *process, HieraReturned *returned, guint (*of)(gint letter), guint mask)
{
    HieraKnown letter = hiera_process_argument(process, 0);
    returned->has_integer = letter.known;
    returned->integer = letter.known ? of((gint)letter.bits) & mask : 0;
}

#define KIND(name, bit)                                                                                                \
    static void name(HieraProcess *process, HieraReturned *returned)                                                   \
    {                                                                                                                  \
        return_of(process, returned, kinds_of, bit);                                                                   \
    }
KIND(look_upper, _ISupper)
KIND(look_lower, _ISlower)
KIND(look_alpha, _ISalpha)
KIND(look_digit, _ISdigit)
KIND(look_xdigit, _ISxdigit)
KIND(look_space, _ISspace)
KIND(look_print, _ISprint)
KIND(look_graph, _ISgraph)
KIND(look_blank, _ISblank)
KIND(look_cntrl, _IScntrl)
KIND(look_punct, _ISpunct)
KIND(look_alnum, _ISalnum)

static void to_lower(HieraProcess *process, HieraReturned *returned)
{
    return_of(process, returned, lower_of, G_MAXUINT32);
}

static void to_upper(HieraProcess *process, HieraReturned *returned)
{
    return_of(process, returned, upper_of, G_MAXUINT32);
}

const HieraLibraryRow hiera_letter_rows[] = {
    {"__ctype_b_loc", 4, .work = return_kinds},
    {"__ctype_tolower_loc", 4, .work = return_lower},
    {"__ctype_toupper_loc", 4, .work = return_upper},
    {"isupper", 4, .work = look_upper},
    {"islower", 4, .work = look_lower},
    {"isalpha", 4, .work = look_alpha},
    {"isdigit", 4, .work = look_digit},
    {"isxdigit", 4, .work = look_xdigit},
    {"isspace", 4, .work = look_space},
    {"isprint", 4, .work = look_print},
    {"isgraph", 4, .work = look_graph},
    {"isblank", 4, .work = look_blank},
    {"iscntrl", 4, .work = look_cntrl},
    {"ispunct", 4, .work = look_punct},
    {"isalnum", 4, .work = look_alnum},
    {"tolower", 4, .work = to_lower},
    {"toupper", 4, .work = to_upper},
    {.name = NULL},
};
