#include <libpq-fe.h>

// Swift does not import macros of character constants.

/// Returns the SQLSTATE of a failed result, or NULL for an error of libpq itself.
static inline const char *undercroft_postgres_state(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

/// Returns the primary message of a failed result, which contains no stored values.
static inline const char *undercroft_postgres_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}
