/* The scanner and libxml2 alone see the same elements in a file, and the tables of the DTD and libxml2 find the same
 * fault with them; abort() where they differ. */
#ifndef HIERA_CHECK_EVENTS_H
#define HIERA_CHECK_EVENTS_H

void check_events(const char *path);

#endif
