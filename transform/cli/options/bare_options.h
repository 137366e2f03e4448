/* Options of hiera-transform that may be given without a value. */
#pragma once

/* Give an empty value to each such option that has none: otherwise GOption takes the next word as its value. */
void bare_options_fill(int argc, char **argv);
