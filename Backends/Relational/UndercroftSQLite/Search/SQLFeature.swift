import CSQLite

/// A feature of SQLite that a build of the SQLite library may lack.
public enum SQLFeature: Sendable, Hashable, CaseIterable {
  /// Full-text search tables. (FTS5)
  case fullTextSearch
  /// JSON functions, such as `json_extract`. (JSON1)
  case json
  /// Mathematical functions, such as `sqrt`.
  case mathematics
  /// Notification of observers about each changed row. (`sqlite3_preupdate_hook`)
  case observedRows
}

extension Connection {
  /// Returns whether the SQLite library has an optional feature.
  ///
  /// SQL that needs a missing feature fails. After the closure that
  /// received this connection has returned, the result is `false`.
  public func supports(_ feature: SQLFeature) -> Bool {
    guard let raw = stateIfValid?.raw else { return false }
    return switch feature {
    case .fullTextSearch: undercroft_sqlite_fts5(raw) != nil
    case .json: (try? Statement("SELECT json('[]')", on: raw)) != nil
    case .mathematics: (try? Statement("SELECT sqrt(4)", on: raw)) != nil
    case .observedRows: undercroft_sqlite_has_preupdate_hook() != 0
    }
  }
}
