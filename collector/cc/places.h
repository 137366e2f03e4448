/* Paths of Hiera's files: in the build folder beside this program, or where Hiera is installed. */
#pragma once

/* Path of hiera-cc-parse. */
const char *hiera_places_parser(void);
/* Path of hiera.h. */
const char *hiera_places_header(void);
/* Folder of libhiera; NULL if there is none. */
const char *hiera_places_libraries(void);
