import UndercroftSync

/// The schema of a simulated history: the tables that its devices synchronise, and the references
/// between them.
enum SimulationShape: String, CaseIterable {
  /// One table whose keys are UUIDs.
  case text = "text"
  /// Two tables with integer keys, of which one refers to the other.
  case integer = "integer"

  var tables: [SimulatedTable] {
    switch self {
    case .text:
      [
        SimulatedTable(
          name: "book", hasTextKey: true, values: ["title", "shelf"], counter: "loans")
      ]
    case .integer:
      [
        SimulatedTable(
          name: "author", hasTextKey: false, values: ["name", "country"], counter: "visits"),
        SimulatedTable(
          name: "book", hasTextKey: false, values: ["title", "shelf"], counter: "loans",
          reference: .init(column: "author", table: "author")),
      ]
    }
  }

  /// Returns the statements that create the tables.
  func definitions(schemaVersion: Int) -> [String] {
    tables.map { table in
      let values = table.values(in: schemaVersion).map { ", \($0) TEXT" }.joined()
      let reference =
        table.reference.map {
          ", \($0.column) INTEGER REFERENCES \($0.table)(id) ON DELETE SET NULL"
        } ?? ""
      return """
        CREATE TABLE \(table.name)(
          id \(table.hasTextKey ? "TEXT PRIMARY KEY NOT NULL" : "INTEGER PRIMARY KEY")\(values)\
        \(reference), \(table.counter) INTEGER NOT NULL DEFAULT 0)
        """
    }
  }
}

/// A table of a history.
struct SimulatedTable {
  struct Reference {
    let column: String
    let table: String
  }

  let name: String
  let hasTextKey: Bool
  /// The names of the columns with text values in the first version of the schema.
  let values: [String]
  /// The column to which devices add.
  let counter: String
  var reference: Reference?

  /// The column that the second version of the schema adds.
  static let newColumn = "note"

  func values(in schemaVersion: Int) -> [String] {
    schemaVersion == 1 ? values : values + [Self.newColumn]
  }

  var configuration: SyncedTable { SyncedTable(name, counters: [counter]) }
}
