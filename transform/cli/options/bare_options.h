/* Options of hiera-transform that may be given without a value. */
#pragma once

/* Give an empty value to options of this kind that have none: otherwise GOption takes the next word as their value. */
void bare_options_fill(int argc, char **argv);
