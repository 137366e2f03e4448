/* Files of dtd/ that are built into the program, so that they are there wherever it is installed. Empty strings if the
 * source tree had no such file. Made by embed.py. */
#ifndef HIERA_DATA_H
#define HIERA_DATA_H

extern const char hiera_data_dtd[];        /* trace.dtd */
extern const char hiera_data_stylesheet[]; /* visual.xsl */

#endif
