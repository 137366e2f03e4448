/* Finds lines and names of functions that the collector could not find: it wrote an object and an offset instead, and
 * the debug information of the object may be here now. */
#pragma once

#include "base/vocabulary.h"
#include "xml/xml_events.h"

typedef struct HieraCallPlaces HieraCallPlaces;

/* @param attributes  names of attributes by number, with the pointers of the parser; must outlive the object, like
 * `path`
 * @param path        of the trace */
HieraCallPlaces *hiera_call_places_new(const char *const attributes[HIERA_N_ATTRIBUTES], const char *path);
void hiera_call_places_free(HieraCallPlaces *places);
/* Read a declaration of a program or library (`hieraObject`), to which offsets of calls refer. */
void hiera_call_places_declare_object(HieraCallPlaces *places, const HieraXmlAttribute *attributes, guint n);
/* Set file, line and name of function of a call where they are found.
 *
 * @param call  GArray of HieraXmlAttribute: all attributes of the call. New values are valid until the next call of
 * this function. */
void hiera_call_places_find(HieraCallPlaces *places, GArray *call);
