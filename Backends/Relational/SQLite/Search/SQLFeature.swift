import CSQLite

/// A part of SQLite that a library may be built without.
public enum SQLFeature: Sendable, Hashable, CaseIterable {
  /// Full-text tables. (FTS5)
  case fullTextSearch
  /// Functions such as `json_extract`. (JSON1)
  case json
  /// Functions such as `sqrt`.
  case mathematics
  /// Rows are seen before and after they change, and told to observers. (`sqlite3_preupdate_hook`)
  case observedRows
}

extension Connection {
  /// Whether the library at hand has a part that it may lack; SQL that needs it is an error then.
  public func supports(_ feature: SQLFeature) -> Bool {
    switch feature {
    case .fullTextSearch: undercroft_sqlite_fts5(raw) != nil
    case .json: (try? Statement("SELECT json('[]')", on: raw)) != nil
    case .mathematics: (try? Statement("SELECT sqrt(4)", on: raw)) != nil
    case .observedRows: undercroft_sqlite_has_preupdate_hook() != 0
    }
  }
}
