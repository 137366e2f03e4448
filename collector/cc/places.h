/* Where the parts of Hiera are: beside this program in the build folder, or where it is installed. */
#ifndef HIERA_CC_PLACES_H
#define HIERA_CC_PLACES_H

/* The program that parses. */
const char *hiera_places_parser(void);
/* The file hiera.h. */
const char *hiera_places_header(void);
/* The folder of libhiera; NULL if there is none. */
const char *hiera_places_libraries(void);

#endif
