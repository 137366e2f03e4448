/* Code that PMPI names in the symbol table of MPI lead to, so that calls of libraries which are loaded later, and of
 * functions that dlsym() finds, come to Hiera. It goes by the caller: calls of the program go on to the wrapper, those
 * of MPI's components and of tools, which are loaded later, too, to MPI's own function. */
#pragma once

/* Return the code for an MPI function; NULL: there is none, for this processor. */
const void *hiera_twin_of(unsigned call);
