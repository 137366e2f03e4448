/* Code that PMPI names in the symbol table of MPI lead to, so that calls of libraries which are loaded later, and of
 * functions that dlsym() finds, come to Hiera. It goes by the caller: calls of the program go on to the wrapper, those
 * of MPI's components and of tools, which are loaded later, too, to MPI's own function. If a tool behind Hiera has the
 * function, the wrapper would call the tool, which does not see PMPI calls without Hiera: all go on to MPI's function,
 * and whose calls Hiera has not seen is noted. */
#pragma once

/* Return the code for an MPI function; NULL: there is none, for this processor. */
const void *hiera_twin_of(unsigned call);

/* Return text number i, from 0, about calls that were noted; NULL: there are no more. May be called in a signal
 * handler.
 */
const char *hiera_twin_past(unsigned i);

/* Forget those of a tool that has started MPI. Called when MPI begins. */
void hiera_twin_forget_past(void);
