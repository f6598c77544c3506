import UndercroftCore
import UndercroftSQLite

extension DatabaseContents {
  /// A difference between the contents of a table before and after a migration.
  struct Difference: CustomStringConvertible {
    let table: String
    let text: String
    var description: String { "table \(quoted(table)): \(text)" }
  }

  /// Returns the differences between the rows of two databases, in the tables that both databases
  /// contain.
  ///
  /// - Parameters:
  ///   - old: the contents of the database to compare with.
  ///   - compared: the columns to compare, or `nil` for all columns that both databases have with
  ///     the same type.
  ///   - intended: the tables and columns that are not compared.
  func differences(
    from old: DatabaseContents, in compared: Set<TableColumnName>? = nil, intended: IntendedChanges
  ) -> [Difference] {
    let columns = compared ?? self.columns.intersection(old.columns)
    let tableNames = Set(columns.map(\.table))
    var differences: [Difference] = []
    for (name, before) in old.tables.sorted(by: { $0.key < $1.key }) {
      guard let now = tables[name], tableNames.contains(name), !intended.covers(name.text) else {
        continue
      }
      guard now.rows.count == before.rows.count else {
        differences.append(
          Difference(
            table: now.name, text: "has \(now.rows.count) rows instead of \(before.rows.count)"))
        continue
      }
      let comparedColumns = before.columns.filter {
        columns.contains(TableColumnName(table: name, column: $0.name.folded, type: $0.type.exact))
          && !intended.covers($0.name, of: name.text)
      }
      differences += Self.compare(now, before, comparedColumns.map(\.name.folded))
    }
    return differences
  }

  /// Returns the columns that contain the same values in both databases, in any order of the rows.
  ///
  /// If the number of rows of a table differs, the result contains no column of the table.
  func equalColumns(in other: DatabaseContents) -> Set<TableColumnName> {
    columns.intersection(other.columns).filter { column in
      guard let own = tables[column.table], let table = other.tables[column.table] else {
        return false
      }
      return own.rows.count == table.rows.count
        && Self.count(own, [column.column]) == Self.count(table, [column.column])
    }
  }

  private static func compare(_ now: Table, _ before: Table, _ columns: [ExactString])
    -> [Difference]
  {
    if Self.count(now, columns) == Self.count(before, columns) { return [] }
    let differences = columns.compactMap { column -> Difference? in
      let other = Self.count(now, [column])
      let lost = Self.count(before, [column]).reduce(0) { sum, value in
        sum + max(0, value.value - (other[value.key] ?? 0))
      }
      if lost == 0 { return nil }
      return Difference(
        table: now.name,
        text: """
          column \(quoted(column.text)): \(lost) of \(before.rows.count) rows have different values
          """
      )
    }
    if !differences.isEmpty { return differences }
    return [Difference(table: now.name, text: "values moved to other rows")]
  }

  /// Returns how many rows of `table` have each combination of values in the given columns.
  private static func count(_ table: Table, _ columns: [ExactString]) -> [[SQLValue]: Int] {
    let indexes = columns.compactMap { column in
      table.columns.firstIndex { $0.name.folded == column }
    }
    return table.rows.reduce(into: [:]) { counts, row in
      counts[indexes.map { row[$0] }, default: 0] += 1
    }
  }
}

/// The tables and columns that steps change intentionally, identified by names such as "loan" and
/// "book.title".
struct IntendedChanges {
  private let names: Set<ExactString>

  init(_ names: Set<String>) { self.names = Set(names.map(\.folded)) }

  func covers(_ table: String) -> Bool { names.contains(table.folded) }

  func covers(_ column: String, of table: String) -> Bool {
    covers(table) || names.contains("\(table).\(column)".folded)
  }
}
