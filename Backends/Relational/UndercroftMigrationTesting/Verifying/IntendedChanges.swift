import UndercroftCore
import UndercroftSQLite

/// The tables and columns that steps change intentionally, by
/// names such as "loan" and "book.title".
struct IntendedChanges {
  private let names: Set<ExactString>

  init(_ names: Set<String>) { self.names = Set(names.map(\.folded)) }

  func covers(_ table: String) -> Bool { names.contains(table.folded) }

  func covers(_ column: String, of table: String) -> Bool {
    covers(table) || names.contains("\(table).\(column)".folded)
  }
}
