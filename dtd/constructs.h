/* Arguments of constructs of OpenMP (attribute `args`) that the analyser reads: a name, and a number above 0 behind it.
 */
#ifndef HIERA_DTD_CONSTRUCTS_H
#define HIERA_DTD_CONSTRUCTS_H

/** Of `parallel` and `implicit task`: which region of the rank it is, of those that are open at that time. Regions of
 * which only one can be open have none: the outermost ones of the main thread. */
#define HIERA_CONSTRUCT_REGION "region="
/** Of `acquire lock`, `acquire critical`, `critical`: which lock of the rank. */
#define HIERA_CONSTRUCT_LOCK "lock="

#endif
