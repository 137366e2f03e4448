/* C functions that parse a command line: getopt and similar. See library.h.
 *
 * Words that are no options are moved behind the options, as in the GNU C library. */
#include "library.h"
#include <string.h>

enum { WORD = 8, LONG_OPTION = 32, MOST_LONG = 1000, UNKNOWN = '?' };

/* The arguments of a call of getopt, getopt_long or getopt_long_only. */
typedef struct {
    HieraProcess *process;
    HieraKnownMemory *memory;
    HieraGetopt *words;
    guint64 list;         /* address of argv in the program's memory */
    gint64 n;             /* value of argc: number of words in argv */
    const char *letters;  /* third argument, the option letters, without a + or - at its begin */
    gboolean in_order;    /* the letters begin with +: options end at the first word that is none */
    guint64 long_options; /* address of the array of long options; 0: none */
    guint64 long_index;   /* address to which the index of a long option is written; 0: none */
    gboolean single_dash; /* getopt_long_only: long options may begin with a single - */
} Call;

/* Return the address of the i-th word of argv; 0: not known, or there is none. */
static guint64 word_at(const Call *call, gint64 i)
{
    guint64 address;
    return i < call->n && hiera_known_memory_read(call->memory, call->list + (guint64)i * WORD, WORD, &address)
               ? address
               : 0;
}

static char *text_at(const Call *call, guint64 address)
{
    return hiera_process_text(call->process, (HieraKnown){address != 0, address});
}

static void set_variable(const Call *call, const char *name, guint width, guint64 value)
{
    hiera_known_memory_write(call->memory, hiera_known_memory_address_of(call->memory, name), width, TRUE, value);
}

/* Move a word of argv to an earlier index; the words between move up by one. */
static void move_word(const Call *call, gint64 from, gint64 to)
{
    guint64 moved = word_at(call, from);
    for (gint64 i = from; i > to; i--)
        hiera_known_memory_write(call->memory, call->list + (guint64)i * WORD, WORD, TRUE, word_at(call, i - 1));
    hiera_known_memory_write(call->memory, call->list + (guint64)to * WORD, WORD, TRUE, moved);
}

/* Find the next word that is an option, and move it before words that are none. @return NULL: none is left. To be freed
 */
static char *next_option(const Call *call)
{
    HieraGetopt *words = call->words;
    for (gint64 i = words->at; i < call->n; i++) {
        g_autofree char *text = text_at(call, word_at(call, i));
        if (!text)
            return NULL;
        if (text[0] == '-' && text[1] != '\0') {
            move_word(call, i, words->at);
            words->n_behind = i - words->at;
            if (strcmp(text, "--") != 0)
                return g_steal_pointer(&text);
            words->at++;
            return NULL;
        }
        if (call->in_order)
            return NULL;
    }
    return NULL;
}

/* Set optarg to an option's argument. @param rest  address of the rest of the word; 0: take the next word. @return
 * FALSE: none */
static gboolean take_argument(const Call *call, guint64 rest)
{
    HieraGetopt *words = call->words;
    gint64 next = words->at + words->n_behind;
    if (rest == 0) {
        rest = word_at(call, next);
        if (rest == 0)
            return FALSE;
        move_word(call, next, words->at++);
    }
    set_variable(call, "optarg", WORD, rest);
    return TRUE;
}

static guint64 missing(const Call *call)
{
    return call->letters[0] == ':' ? ':' : UNKNOWN;
}

/* Take the next option letter of the current word. @return what getopt returns for it */
static guint64 take_letter(const Call *call)
{
    HieraGetopt *words = call->words;
    guint64 letter = 0, next = 0;
    hiera_known_memory_read(call->memory, words->letter, 1, &letter);
    hiera_known_memory_read(call->memory, ++words->letter, 1, &next);
    const char *known = letter != ':' ? strchr(call->letters, (int)letter) : NULL;
    gboolean takes = known && known[1] == ':', may = takes && known[2] == ':';
    guint64 rest = next != 0 ? words->letter : 0;
    if (rest == 0 || takes) { /* no letters follow in this word, or they are the option's argument */
        words->at++;
        words->letter = 0;
    }
    set_variable(call, "optopt", 4, letter);
    if (!known)
        return UNKNOWN;
    if (takes && !(may && rest == 0) && !take_argument(call, rest))
        return missing(call);
    return letter;
}

/* Find a long option by its name, or by an abbreviation that fits no other one. @return its index; -1: none */
static gint64 find_long(const Call *call, const char *name, gsize n)
{
    gint64 found = -1;
    for (gint64 i = 0; i < MOST_LONG; i++) {
        guint64 address;
        if (!hiera_known_memory_read(call->memory, call->long_options + (guint64)i * LONG_OPTION, 8, &address) ||
            address == 0)
            break;
        g_autofree char *known = text_at(call, address);
        if (!known || strncmp(known, name, n) != 0)
            continue;
        if (known[n] == '\0')
            return i;
        found = found == -1 ? i : -2;
    }
    return MAX(found, -1);
}

static guint64 take_long(const Call *call, const char *word, gint64 number)
{
    guint64 option = call->long_options + (guint64)number * LONG_OPTION, takes = 0, flag = 0, value = 0;
    const char *equals = strchr(word, '=');
    guint64 rest = equals ? word_at(call, call->words->at) + (guint64)(equals + 1 - word) : 0;
    hiera_known_memory_read(call->memory, option + 8, 4, &takes);
    hiera_known_memory_read(call->memory, option + 16, 8, &flag);
    hiera_known_memory_read(call->memory, option + 24, 4, &value);
    call->words->at++;
    if (takes == 0 ? rest != 0 : (takes == 1 || rest != 0) && !take_argument(call, rest))
        return takes == 0 ? UNKNOWN : missing(call);
    if (call->long_index != 0)
        hiera_known_memory_write(call->memory, call->long_index, 4, TRUE, (guint64)number);
    if (flag == 0)
        return value;
    hiera_known_memory_write(call->memory, flag, 4, TRUE, value);
    return 0;
}

/* Take the next option of the command line. @return what getopt returns for it */
static guint64 take(const Call *call)
{
    HieraGetopt *words = call->words;
    set_variable(call, "optarg", WORD, 0);
    if (words->letter != 0)
        return take_letter(call);
    g_autofree char *word = next_option(call);
    if (!word)
        return G_MAXUINT32; /* -1 */
    gsize dashes = word[1] == '-' ? 2 : 1;
    if (call->long_options != 0 && (dashes == 2 || call->single_dash)) {
        gint64 number = find_long(call, word + dashes, strcspn(word + dashes, "="));
        if (number >= 0)
            return take_long(call, word, number);
    }
    if (dashes == 2 && call->long_options != 0) {
        words->at++;
        return UNKNOWN;
    }
    words->letter = word_at(call, words->at) + 1;
    return take_letter(call);
}

/* getopt(argc, argv, letters); if has_long: getopt_long(argc, argv, letters, options, index). */
static void take_option(HieraProcess *process, HieraReturned *returned, gboolean has_long, gboolean single_dash)
{
    HieraKnown n = hiera_process_argument(process, 0), list = hiera_process_argument(process, 1),
               options = hiera_process_argument(process, 3), index = hiera_process_argument(process, 4);
    g_autofree char *letters = hiera_process_text(process, hiera_process_argument(process, 2));
    HieraGetopt *words = &process->words;
    Call call = {.process = process,
                 .memory = process->state.memory,
                 .words = words,
                 .list = list.bits,
                 .n = (gint32)n.bits,
                 .long_options = has_long && options.known ? options.bits : 0,
                 .long_index = has_long && index.known ? index.bits : 0,
                 .single_dash = single_dash};
    guint64 set;
    if (!n.known || !list.known || !letters)
        return;
    call.in_order = letters[0] == '+';
    call.letters = letters + (letters[0] == '+' || letters[0] == '-');
    gboolean is_known =
        hiera_known_memory_read(call.memory, hiera_known_memory_address_of(call.memory, "optind"), 4, &set);
    if (words->at > 0 && is_known && (gint64)set != words->at) /* the program has set optind: continue there */
        *words = (HieraGetopt){.at = (gint64)set};
    words->at = MAX(words->at, 1);
    hiera_return_integer(returned, take(&call));
    set_variable(&call, "optind", 4, (guint64)words->at);
}

static void take_short(HieraProcess *process, HieraReturned *returned)
{
    take_option(process, returned, FALSE, FALSE);
}

static void take_long_or_short(HieraProcess *process, HieraReturned *returned)
{
    take_option(process, returned, TRUE, FALSE);
}

static void take_long_only(HieraProcess *process, HieraReturned *returned)
{
    take_option(process, returned, TRUE, TRUE);
}

const HieraLibraryRow hiera_word_rows[] = {
    {"getopt", 60, .work = take_short},
    {"getopt_long", 90, .work = take_long_or_short},
    {"getopt_long_only", 90, .work = take_long_only},
    {.name = NULL},
};
