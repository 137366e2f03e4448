/* The ready scripts of ready/, by name. */
#pragma once

#include <stddef.h>

/* Text of the ready script with this name; NULL if there is none. */
const char *hiera_ready_find(const char *name);

/* Write a message for a name that is neither a file nor a ready script: the most similar name, and the list of all. */
void hiera_ready_advise(const char *name, char *text, size_t size);
