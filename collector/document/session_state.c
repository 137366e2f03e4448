#include "session_state.h"

#include "base/kept.h"

HieraSession hiera_session HIERA_KEPT;
