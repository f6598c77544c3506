#ifndef UNDERCROFT_CSQLITE_SHIM_H
#define UNDERCROFT_CSQLITE_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1, which Swift does not import. */
static inline sqlite3_destructor_type undercroft_sqlite_transient(void) {
  return SQLITE_TRANSIENT;
}

/* sqlite3_db_config is variadic, which Swift does not import. Refuses SQL that could damage the file. */
static inline int undercroft_sqlite_defend(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

#endif
