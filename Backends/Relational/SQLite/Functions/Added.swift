import CSQLite
import UndercroftCore

/// A function or aggregate as its connection keeps it: freed with the connection, or when another takes its place.
final class Added<Definition> {
  let definition: Definition
  let thrown: ThrownError

  init(_ definition: Definition, _ thrown: ThrownError) {
    self.definition = definition
    self.thrown = thrown
  }

  /// The one that a call of SQLite's is meant for. (`sqlite3_user_data`)
  static func behind(_ context: OpaquePointer?) -> Added? {
    sqlite3_user_data(context).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }
}

extension Connection {
  /// Throws unless SQLite has taken what was to be added.
  func check(_ code: Int32, adding what: String) throws(StorageError) {
    if code != SQLITE_OK { throw .sqlite("add \(what)", SQLiteError(code, on: raw, sql: nil)) }
  }
}
