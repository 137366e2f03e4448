/* A slow network: a message can be received only a while after it was sent. A thread of its own receives, as a progress
 * thread does, so the program can compute meanwhile. It sleeps while a message is on its way, so it costs no processor.
 * All ranks are on one computer, since they compare times. */
#pragma once

enum { LEFT, RIGHT, SIDES };

/* Start the thread. MPI must have been initialised with MPI_THREAD_MULTIPLE. */
void slow_network_start(double delay_s);

/* Send a number to both neighbours, and begin to receive one from each. It returns at once. */
void slow_network_exchange(const int neighbours[SIDES], const double sent[SIDES], double received[SIDES]);

/* Wait for both numbers of the last exchange. */
void slow_network_wait(void);

/* End the thread. */
void slow_network_stop(void);

/* Seconds of a clock of this computer, and sleeping until it says a time. */
double clock_now(void);
void sleep_until(double time);
