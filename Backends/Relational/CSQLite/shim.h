#ifndef UNDERCROFT_CSQLITE_SHIM_H
#define UNDERCROFT_CSQLITE_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1, which Swift does not import. */
static inline sqlite3_destructor_type undercroft_sqlite_transient(void) {
  return SQLITE_TRANSIENT;
}

#endif
