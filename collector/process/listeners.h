/* Listeners: functions of a program or plug-in that are called at events (hiera_events.h). */
#pragma once

/* Load the plug-ins that the setting HIERA_PLUGIN lists. */
void hiera_plugins_load(void);
