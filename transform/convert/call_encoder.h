/* What calls have in common, given numbers: the writing side of the compact spelling.
 *
 * The attributes of a call are looked up as one text. What was met before has its number; what is new gets one, unless
 * its call site has many: then the call refers to one with the same attributes and names those that differ. */
#ifndef HIERA_CALL_ENCODER_H
#define HIERA_CALL_ENCODER_H

#include "base/vocabulary.h"
#include "xml/xml.h"

typedef struct HieraCallEncoder HieraCallEncoder;

/* @param attributes  the names of attributes by their numbers, as they come from the parser */
HieraCallEncoder *hiera_call_encoder_new(const char *const attributes[HIERA_N_ATTRIBUTES]);
void hiera_call_encoder_free(HieraCallEncoder *encoder);
/* The number of what a call refers to, from 1 on.
 *
 * @param call    GArray of HieraXmlAttribute: its attributes but those that are its own by nature
 * @param own     takes those that differ from what it refers to
 * @param is_new  whether it must be declared first, with all of @call */
guint hiera_call_encoder_choose(HieraCallEncoder *encoder, const GArray *call, GArray *own, gboolean *is_new);

/* ` name="value"`, escaped. */
void hiera_attributes_append(GString *out, const GArray *attributes);
void hiera_attribute_append(GString *out, const HieraXmlAttribute *attribute);

#endif
