/* Options whose value may be left out. */
#pragma once

/* Give an empty value to each such option without a value, because GOption would take the next word as its value. */
void bare_options_fill(int argc, char **argv);
