#ifndef UNDERCROFT_CGDBM_SHIM_H
#define UNDERCROFT_CGDBM_SHIM_H

#include <gdbm.h>

/* gdbm_errno is a macro over a thread-local variable, which Swift does not import. */
static inline int undercroft_gdbm_errno(void) { return gdbm_errno; }

#endif
