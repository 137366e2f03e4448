/* Compares readers of the same file: the scanner and libxml2 must see the same elements, and the tables of the DTD must
 * find the same error as libxml2. Calls abort() if they differ. */
#ifndef HIERA_CHECK_EVENTS_H
#define HIERA_CHECK_EVENTS_H

void check_events(const char *path);

#endif
