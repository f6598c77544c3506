#ifndef UNDERCROFT_CSQLITE_SHIM_H
#define UNDERCROFT_CSQLITE_SHIM_H

/* Declares the pre-update hook, whether or not the library was built with it. */
#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif

#include <sqlite3.h>

/* Weak references, so that a program also links with a library that lacks the hook. */
#pragma weak sqlite3_preupdate_hook
#pragma weak sqlite3_preupdate_old
#pragma weak sqlite3_preupdate_new
#pragma weak sqlite3_preupdate_count
#if SQLITE_VERSION_NUMBER >= 3039000
#pragma weak sqlite3_db_name
#endif

/* Weak references for a library that was built without SQLITE_ENABLE_COLUMN_METADATA. */
#pragma weak sqlite3_column_database_name
#pragma weak sqlite3_column_table_name
#pragma weak sqlite3_column_origin_name

static inline int undercroft_sqlite_has_preupdate_hook(void) {
  return sqlite3_preupdate_hook != 0 && sqlite3_preupdate_old != 0 &&
         sqlite3_preupdate_new != 0 && sqlite3_preupdate_count != 0;
}

static inline int undercroft_sqlite_has_column_metadata(void) {
  return sqlite3_column_database_name != 0 && sqlite3_column_table_name != 0 &&
         sqlite3_column_origin_name != 0;
}

/* SQLITE_TRANSIENT is a cast of -1, which Swift does not import. */
static inline sqlite3_destructor_type undercroft_sqlite_transient(void) {
  return SQLITE_TRANSIENT;
}

/* Sets the size up to which the rollback journal of a statement remains in memory, for the whole process. Fails with
   SQLITE_MISUSE after SQLite was initialised. sqlite3_config is variadic. */
static inline int undercroft_sqlite_retain_statement_journals(int bytes) {
  return sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, bytes);
}

/* Disables the statistics of memory for the whole process. They are behind one lock, for which threads wait at every
   allocation. Fails with SQLITE_MISUSE after SQLite was initialised. sqlite3_config is variadic. */
static inline int undercroft_sqlite_omit_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Makes SQLite refuse SQL that could damage the file. sqlite3_db_config is variadic, so Swift does not import it. */
static inline int undercroft_sqlite_defend(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/* Makes SQLite report an unknown name in double quotes as an error instead of reading the name as a string literal.
   Existing schemas that contain such literals can still be read. */
static inline void undercroft_sqlite_refuse_quoted_texts(sqlite3 *db) {
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}

/* Disables the seek-scan optimization for IN (SQLITE_SeekScan, 0x20000). In SQLite 3.34 to 3.41 it returns wrong results,
   because the columns of the previous row remain in the cursor's cache. sqlite3_test_control is variadic. */
static inline void undercroft_sqlite_avoid_seek_scan(sqlite3 *db) {
  int version = sqlite3_libversion_number();
  if (version >= 3034000 && version < 3042000) {
    sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, 0x20000);
  }
}

/* Sets the enforcement of foreign keys unless `value` is negative, and returns whether foreign keys are enforced. */
static inline int undercroft_sqlite_foreign_keys(sqlite3 *db, int value) {
  int now = 0;
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, value, &now);
  return now;
}

/* Reads the number of valid frames and the number of checkpointed frames from the index of a database's write-ahead log.
   Returns 0 if there is no log or if its index cannot be mapped, and 1 otherwise. The index contains mxFrame at byte 16
   and nBackfill at byte 96, in the byte order of the machine (https://sqlite.org/walformat.html#the_wal_index_header). */
static inline int undercroft_sqlite_log_frames(sqlite3 *db, const char *name, unsigned *valid, unsigned *moved) {
  sqlite3_file *file = 0;
  volatile void *region = 0;
  if (sqlite3_file_control(db, name, SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || file == 0 ||
      file->pMethods == 0 || file->pMethods->iVersion < 2 || file->pMethods->xShmMap == 0) {
    return 0;
  }
  if (file->pMethods->xShmMap(file, 0, 32768, 0, &region) != SQLITE_OK || region == 0) {
    return 0;
  }
  *valid = ((volatile unsigned *)region)[4];
  *moved = ((volatile unsigned *)region)[24];
  return 1;
}

/* Returns the error number of the last system call that failed on a file, or 0 if SQLite's Unix VFS did not open the file. */
static inline int undercroft_sqlite_last_errno(sqlite3_file *file) {
  int number = 0;
  if (file == 0 || file->pMethods == 0 || file->pMethods->xFileControl == 0 ||
      file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number) != SQLITE_OK) {
    return 0;
  }
  return number;
}

/* Returns whether `number` is the last system error on the file or the journal (or write-ahead log) of any database of a
   connection. */
static inline int undercroft_sqlite_has_failed(sqlite3 *db, int number) {
  for (int index = 0;; index++) {
#if SQLITE_VERSION_NUMBER >= 3039000
    const char *name = sqlite3_db_name == 0 ? (index == 0 ? "main" : 0) : sqlite3_db_name(db, index);
#else
    const char *name = index == 0 ? "main" : 0;
#endif
    if (name == 0) return 0;
    sqlite3_file *file = 0;
    sqlite3_file_control(db, name, SQLITE_FCNTL_FILE_POINTER, &file);
    if (undercroft_sqlite_last_errno(file) == number) return 1;
    file = 0;
    sqlite3_file_control(db, name, SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (undercroft_sqlite_last_errno(file) == number) return 1;
  }
}

/* Returns the FTS5 extension API, or NULL if the library lacks FTS5. SQLite requires a static string for the name of the
   pointer type, which only a C literal guarantees. */
static inline fts5_api *undercroft_sqlite_fts5(sqlite3 *db) {
  fts5_api *api = 0;
  sqlite3_stmt *statement = 0;
  if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, 0) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", 0);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return api;
}

#endif
