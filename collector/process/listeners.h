/* Listeners: functions of a program or plug-in that are called at events (hiera_events.h). */
#ifndef HIERA_LISTENERS_H
#define HIERA_LISTENERS_H

/* Load the plug-ins of HIERA_PLUGIN. */
void hiera_plugins_load(void);

#endif
