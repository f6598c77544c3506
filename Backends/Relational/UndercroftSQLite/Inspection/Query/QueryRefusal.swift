import UndercroftCore

/// The reason why a query is not permitted to run a statement.
struct QueryRefusal {
  private let reason: String
  private let suggestion: String

  /// The refusal of a statement that writes.
  static let writing = QueryRefusal(
    reason: "the statement writes, but queries only read", suggestion: "pass a SELECT statement")

  static let attaching = "pass the store to the query, which attaches the databases of its stores"

  /// Creates the refusal of a part of a statement.
  static func notPermitted(_ part: String, _ suggestion: String) -> QueryRefusal {
    QueryRefusal(reason: "\(part) is not permitted", suggestion: suggestion)
  }

  /// The error of a refused statement.
  var error: StorageError {
    .sqliteMisuse("cannot run the statement: \(reason)", suggestion: suggestion)
  }
}
