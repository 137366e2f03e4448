/* What ranks that were killed have left on this computer (base/kept_files.h). */
#ifndef HIERA_RUN_LEFT_H
#define HIERA_RUN_LEFT_H

/* Say which traces can be completed, and remove what is of no use: its trace is gone. Not about `folder`, whose traces the next job
 * replaces. */
void hiera_left_say(const char *folder, void (*say)(const char *format, ...));

#endif
