/* Encodes calls for the compact encoding: declares the attributes that calls share, and gives the declarations
 * numbers.
 *
 * The attributes of a call are looked up as one text. New attributes make a new declaration, up to 16 for a call
 * site. Then a new call refers to the most similar declaration and repeats the attributes that differ. */
#pragma once

#include "base/vocabulary.h"
#include "xml/xml.h"

typedef struct HieraCallEncoder HieraCallEncoder;

/* @param attributes  names by HieraAttribute: the parser's pointers, compared as such; must outlive the encoder */
HieraCallEncoder *hiera_call_encoder_new(const char *const attributes[HIERA_N_ATTRIBUTES]);
void hiera_call_encoder_free(HieraCallEncoder *encoder);
/* Choose the declaration that a call refers to.
 *
 * @param call    GArray of HieraXmlAttribute: attributes of the call, without times and HIERA_PER_CALL_ATTRIBUTES
 * @param own     attributes that differ from the declaration are appended here
 * @param is_new  receives TRUE if the declaration is new: write it before the call, with all attributes of `call`
 * @return  the number of the declaration, from 1 */
guint hiera_call_encoder_choose(HieraCallEncoder *encoder, const GArray *call, GArray *own, gboolean *is_new);
