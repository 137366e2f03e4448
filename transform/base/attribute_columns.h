/* Attributes of the grammar that somebody asks for by name. Reading keeps the values of these alone, so they are asked
 * for while options are read, by one thread, before the first trace is loaded. */
#pragma once

#include "hiera_trace.h"

enum { HIERA_ATTRIBUTE_COLUMNS_MOST = 16 };

/* An attribute of datatypes. As one of operations its value is what a call says of its data (checks/call_data.h). */
#define HIERA_ATTRIBUTE_OF_DATA "signature"
/* The memory that a call uses; of an operation of the level HIERA_LEVEL_ACCESS, which the program has used, its `args`.
 */
#define HIERA_ATTRIBUTE_OF_BUFFERS "buffers"
#define HIERA_LEVEL_ACCESS         "access"
/* What a fence promises. */
#define HIERA_ATTRIBUTE_OF_FENCES "assert"
/* Which partition is ready, or is asked for. */
#define HIERA_ATTRIBUTE_OF_PARTITIONS "partition"

/* Type of an attribute's values; the words of dtd/attributes.h. */
typedef enum { HIERA_AS_TEXT, HIERA_AS_NUMBER, HIERA_AS_RANK, HIERA_AS_SECONDS } HieraAttributeType;

typedef struct {
    char *name;
    int number;            /* its HieraAttribute; from HIERA_N_ATTRIBUTES on if the vocabulary lacks the attribute */
    gboolean of_processor; /* whether it is an attribute of the root element; FALSE: of operations */
    HieraAttributeType type;
    gboolean wished; /* whether its values are kept where traces have some, and no user has asked for it */
} HieraAttributeColumn;

HieraAttributeType hiera_attribute_type(const char *name);
/* Ask for an attribute. The same one may be asked for several times.
 * @return  its index; HIERA_NONE if there are too many, or traces have been loaded */
guint hiera_attribute_columns_add(const char *name, gboolean of_processor);
/* Ask for an attribute of operations for the program itself: no finding says that it is not recorded. @return  as above
 */
guint hiera_attribute_columns_wish(const char *name);
/* Return the index of an attribute of operations; HIERA_NONE: nobody has asked for it. */
guint hiera_attribute_columns_find(const char *name);
/* Refuse further hiera_attribute_columns_add(), because traces are loaded from now on. */
void hiera_attribute_columns_close(void);
gboolean hiera_attribute_columns_are_closed(void);
guint hiera_attribute_columns_count(void);
const HieraAttributeColumn *hiera_attribute_columns_peek(guint index);
