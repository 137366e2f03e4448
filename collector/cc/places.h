/* Paths of Hiera's files: in the build folder beside this program, or where Hiera is installed. */
#pragma once

/* Path of the program hiera-cc-parse; NULL if it is not found. */
const char *hiera_places_parser(void);
/* Path of hiera.h; NULL if it is not found. */
const char *hiera_places_header(void);
/* Path of the folder with libhiera.so; NULL if it is not found. */
const char *hiera_places_libraries(void);
