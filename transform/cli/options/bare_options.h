/* Options whose value may be left out. */
#pragma once

/* Give each of them that stands without a value the empty one, because GOption would take the next word for it. */
void bare_options_fill(int argc, char **argv);
