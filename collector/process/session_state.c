/* See session_state.h. */
#include "session_state.h"

HieraSession hiera_session;
