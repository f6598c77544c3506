import UndercroftSync

/// The schema of a simulated history: the tables that its devices synchronise, and the references
/// between them.
enum SimulationShape: String, CaseIterable {
  /// One table whose keys are UUIDs.
  case text = "text"
  /// Two tables with integer keys, of which one refers to the other.
  case integer = "integer"
  /// Two tables, of which one refers to the other with a foreign key that is checked at the end of
  /// each transaction.
  ///
  /// The keys of the referenced table are UUIDs of 16 bytes, and those of the other table are UUIDs
  /// as text.
  case blob = "BLOB"
  /// Two tables that belong to different scopes.
  ///
  /// The keys of one table are UUIDs as text, and those of the other are integers.
  case twoScopes = "two scopes"
  /// Two tables that belong to different scopes, of which one is only sent.
  ///
  /// The keys of the table that is only sent are integers.
  case oneWay = "one way"

  var tables: [SimulatedTable] {
    switch self {
    case .text:
      [
        SimulatedTable(
          name: "book", key: .text, values: ["title", "shelf"], counter: "loans")
      ]
    case .integer: Self.authorsAndBooks(.integer, .integer)
    case .blob: Self.authorsAndBooks(.blob, .text)
    case .twoScopes, .oneWay:
      [
        SimulatedTable(name: "book", key: .text, values: ["title", "shelf"], counter: "loans"),
        SimulatedTable(
          name: "member", scope: "members", key: .integer, values: ["name", "town"],
          counter: "visits"),
      ]
    }
  }

  /// Returns whether devices only send the changes of a scope, and never pull it.
  func isOneWay(_ scope: ScopeIdentifier) -> Bool { self == .oneWay && scope == "members" }

  /// The scopes that devices pull.
  var pulledScopes: [ScopeIdentifier] { scopes.filter { !isOneWay($0) } }

  /// The tables that devices pull.
  var pulledTables: [SimulatedTable] { tables.filter { !isOneWay($0.scope) } }

  /// The kind of the tables in the summary of a history.
  var summary: String {
    switch self {
    case .twoScopes: "tables of two scopes"
    case .oneWay: "tables of two scopes, of which one is only sent"
    case .text, .integer, .blob: "tables with \(rawValue) keys"
    }
  }

  /// The scopes of the tables, each once.
  var scopes: [ScopeIdentifier] {
    tables.reduce(into: []) { scopes, table in
      if !scopes.contains(table.scope) { scopes.append(table.scope) }
    }
  }

  /// Returns the scope of the table with the name `table`.
  func scope(of table: String) -> ScopeIdentifier {
    tables.first { $0.name == table }?.scope ?? scopes[0]
  }

  /// Returns a table of authors and a table of books, in which each book can refer to an author.
  private static func authorsAndBooks(
    _ author: SimulatedTable.Key, _ book: SimulatedTable.Key
  ) -> [SimulatedTable] {
    [
      SimulatedTable(
        name: "author", key: author, values: ["name", "country"], counter: "visits"),
      SimulatedTable(
        name: "book", key: book, values: ["title", "shelf"], counter: "loans",
        reference: .init(column: "author", table: "author", key: author)),
    ]
  }

  /// Returns the statements that create the tables.
  func definitions(schemaVersion: Int) -> [String] {
    tables.map { table in
      let values = table.values(in: schemaVersion).map { ", \($0) TEXT" }.joined()
      let reference =
        table.reference.map {
          ", \($0.column) \($0.key.rawValue) REFERENCES \($0.table)(id) ON DELETE SET NULL"
            + (self == .blob ? " DEFERRABLE INITIALLY DEFERRED" : "")
        } ?? ""
      return """
        CREATE TABLE \(table.name)(
          id \(table.key.rawValue) PRIMARY KEY NOT NULL\(values)\
        \(reference), \(table.counter) INTEGER NOT NULL DEFAULT 0)
        """
    }
  }
}

/// A table of a history.
struct SimulatedTable {
  /// The kind of the primary key, by the declared type of its column.
  enum Key: String {
    /// A UUID as text.
    case text = "TEXT"
    /// A UUID of 16 bytes.
    case blob = "BLOB"
    /// A number that the device chooses.
    case integer = "INTEGER"
  }

  struct Reference {
    let column: String
    let table: String
    /// The kind of the primary key of the referenced table.
    let key: Key
  }

  let name: String
  var scope: ScopeIdentifier = "library"
  let key: Key
  /// The names of the columns with text values in the first version of the schema.
  let values: [String]
  /// The name of the counter column, to which devices add numbers.
  let counter: String
  var reference: Reference?

  /// The column that the second version of the schema adds.
  static let newColumn = "note"

  func values(in schemaVersion: Int) -> [String] {
    schemaVersion == 1 ? values : values + [Self.newColumn]
  }

  var configuration: SyncedTable { SyncedTable(name, counters: [counter]) }
}
