import CSQLite
import UndercroftCore
import UndercroftInspection

/// The names in the schema of a database, which a query can know without attaching the database.
struct DatabaseNames {
  /// The name of the store.
  let store: String
  /// The spellings of the tables and views by their names in lower case.
  private let tables: [ExactString: String]
  /// The names of the indexes in lower case.
  private let indexes: Set<ExactString>
  /// The names of the virtual tables in lower case.
  private let virtualTables: Set<ExactString>

  /// Returns the names in the database of a store, which are read through a connection that is
  /// closed afterwards.
  ///
  /// - Throws: ``StorageError/Code/interrupted`` if the time limit is reached, and any error of
  ///   opening or reading the database.
  static func reading(_ store: QueriedStore, _ deadline: QueryDeadline) throws -> DatabaseNames {
    try deadline.check()
    do {
      let file = try QueryConnection.attachment(for: store.url)
      let connection = try QueryConnection(file.uri, deadline)
      connection.retain(file.keepAlive)
      try connection.restrict(to: .reading)
      return try connection.checkingFiles { try DatabaseNames(store.name, on: connection) }
    } catch let error as StorageError {
      try deadline.check()
      throw error.within("cannot list the tables of the store \(quoted(store.name))")
    }
  }

  private init(_ store: String, on connection: QueryConnection) throws(StorageError) {
    var tables: [ExactString: String] = [:]
    var indexes: Set<ExactString> = []
    var virtualTables: Set<ExactString> = []
    let statement = try Statement(
      """
      SELECT name, type = 'index', type = 'table' AND coalesce(rootpage, 0) = 0 FROM sqlite_schema
      WHERE type IN ('table', 'view', 'index')
      """, on: connection.raw)
    while try statement.step() {
      let name = sqlite3_column_text(statement.raw, 0).map { String(cString: $0) } ?? ""
      if sqlite3_column_int(statement.raw, 1) != 0 {
        indexes.insert(name.folded)
      } else {
        tables[name.folded] = name
        if sqlite3_column_int(statement.raw, 2) != 0 { virtualTables.insert(name.folded) }
      }
    }
    self.store = store
    self.tables = tables
    self.indexes = indexes
    self.virtualTables = virtualTables
  }

  /// Returns whether a table, a view or an index has the name, which is in lower case.
  func contains(_ name: ExactString) -> Bool { tables[name] != nil || indexes.contains(name) }

  /// Returns the spelling of a table or view by its name in lower case, or `nil` if there is none.
  func spelling(ofTable name: ExactString) -> String? { tables[name] }

  /// The spellings of the tables and views that a suggestion can contain, sorted by their bytes.
  ///
  /// The tables of SQLite itself and those in which a virtual table stores its content are omitted.
  var suggestedTables: [String] {
    tables.filter { !$0.key.begins(with: "sqlite_") && !isPartOfVirtualTable($0.key) }
      .values.map(\.exact).sorted().map(\.text)
  }

  /// Returns whether the name consists of the name of a virtual table, an underscore and a suffix,
  /// such as "book_search_data".
  private func isPartOfVirtualTable(_ name: ExactString) -> Bool {
    let text = name.text.utf8
    return !virtualTables.isEmpty
      && text.indices.contains { index in
        text[index] == UInt8(ascii: "_")
          && virtualTables.contains(String(decoding: text[..<index], as: UTF8.self).exact)
      }
  }
}
