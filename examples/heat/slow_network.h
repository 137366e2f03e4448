/* A slow network: a message can be received only a while after it was sent. A thread of its own receives, as a progress
 * thread does, so the program can compute meanwhile. It sleeps while a message is on its way, so it costs no processor.
 * All ranks are on one computer, since they compare times. */
#pragma once

enum { LEFT, RIGHT, SIDES };

/* Start the thread that receives. MPI must have been initialised with MPI_THREAD_MULTIPLE. */
void slow_network_start(double delay_s);

/* Send one number to each neighbour, and begin to receive one from each. Returns at once. */
void slow_network_exchange(const int neighbours[SIDES], const double sent[SIDES], double received[SIDES]);

/* Wait until both numbers of the last slow_network_exchange() have been received. */
void slow_network_wait(void);

/* End the thread that receives. */
void slow_network_stop(void);

/* Return the time in seconds of a clock of this computer; sleep until this clock shows `time`. */
double clock_now(void);
void sleep_until(double time);
