/* Listeners: functions of a program or plug-in that are called at events (hiera_events.h). */
#pragma once

/* Load the plug-ins of HIERA_PLUGIN. */
void hiera_plugins_load(void);
