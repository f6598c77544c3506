import UndercroftCore
import UndercroftSQLite

/// The rows that foreign keys can refer to, read once for each foreign key.
struct ParentRows {
  private struct Key: Hashable {
    let table: ExactString
    let columns: [ExactString]
  }

  private var cache: [Key: [[SQLValue]]] = [:]

  /// Returns the values that the columns of a foreign key can contain: the referenced values of up
  /// to 1,000 rows of the parent table.
  mutating func rows(
    _ reference: TableShape.Reference, in db: Connection
  ) throws -> [[SQLValue]] {
    let table = reference.parent
    let key = Key(table: table.folded, columns: reference.targets.map(\.exact))
    if let rows = cache[key] { return rows }
    guard try db.tableExists(table) else { return [] }
    let columns = reference.targets.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    // A fixed order makes the generated rows reproducible.
    let rows = try db.fetchAll(
      "SELECT \(columns) FROM \(identifier: table) ORDER BY \(columns) LIMIT 1000"
    ) { row in try (0..<row.count).map { try row[$0] as SQLValue } }
    cache[key] = rows.filter { !$0.contains(.null) }
    return cache[key] ?? []
  }

  /// Removes the rows of a table from the cache, because more rows were inserted into the table.
  mutating func invalidate(_ table: String) {
    cache = cache.filter { $0.key.table != table.folded }
  }
}
