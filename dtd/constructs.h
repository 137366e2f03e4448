/* Arguments of constructs of OpenMP (attribute `args`) that the analyser reads: a name, and a number above 0 behind it.
 */
#ifndef HIERA_DTD_CONSTRUCTS_H
#define HIERA_DTD_CONSTRUCTS_H

/** Of `parallel` and `implicit task`: which region of the rank it is, of those that are open at that time. Regions of
 * which only one can be open have none: the outermost ones of the main thread. */
#define HIERA_CONSTRUCT_REGION "region="
/** Of `acquire lock`, `acquire critical`, `critical`: which lock of the rank. */
#define HIERA_CONSTRUCT_LOCK "lock="
/** Of `create task` and `task`: which task of the rank it is, of those that have not ended. */
#define HIERA_CONSTRUCT_TASK "task="
/** Of `depend in`, `depend out` and the like: on which data of the rank a task depends. */
#define HIERA_CONSTRUCT_DATA "data="
/** Of `loop`: how its iterations are shared out; instead of a number one of these words, X(word). */
#define HIERA_CONSTRUCT_SCHEDULE     "schedule="
#define HIERA_CONSTRUCT_SCHEDULES(X) X("static") X("dynamic") X("guided") X("auto") X("runtime")

#endif
