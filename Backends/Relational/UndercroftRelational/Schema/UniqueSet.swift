import UndercroftCore
import UndercroftSQLite

/// A set of columns in which no two rows of a table are allowed to have the same values, other than
/// NULL.
///
/// Each column has the collation that the unique index uses.
struct UniqueSet: Hashable {
  struct Part: Hashable {
    let column: ExactString
    let collation: ExactString
  }

  let parts: [Part]

  /// Returns the unique sets of a table in the file, except for the sets of unique indexes that
  /// contain an expression.
  ///
  /// A partial index counts as if it had no condition. (`PRAGMA index_list`, `PRAGMA index_xinfo`)
  static func all(of table: String, in db: Connection) throws -> [UniqueSet] {
    let columns: SQL = """
      SELECT list.name, info.name, info.coll
      FROM pragma_index_list(\(table), 'main') AS list,
        pragma_index_xinfo(list.name, 'main') AS info
      WHERE list."unique" AND info.key
      ORDER BY list.name, info.seqno
      """
    var sets: [ExactString: [Part?]] = [:]
    try db.forEach(columns) { row in
      let index: String = try row[0]
      let column: String? = try row[1]
      let collation: String = try row[2]
      sets[index.exact, default: []].append(
        column.map { Part(column: $0.exact, collation: collation.folded) })
    }
    return sorted(
      sets.values.compactMap { parts in
        let named = parts.compactMap(\.self)
        return named.count == parts.count ? UniqueSet(parts: named) : nil
      })
  }

  /// Returns the unique sets of a new table with this declaration.
  static func all(of table: TableDefinition) -> [UniqueSet] {
    let collations = Dictionary(
      table.columns.map { ($0.name.folded, ($0.collation ?? "BINARY").folded) },
      uniquingKeysWith: { first, _ in first })
    let sets =
      table.columns.filter(\.isUnique).map { [$0.name] } + table.constraints.uniqueSets
      + table.constraints.indexes.filter(\.isUnique).map(\.columns)
    return sorted(
      sets.map { columns in
        UniqueSet(
          parts: columns.map {
            Part(column: $0.exact, collation: collations[$0.folded] ?? "binary")
          })
      })
  }

  /// Returns the sets without duplicates, in an order that depends only on their content.
  private static func sorted(_ sets: [UniqueSet]) -> [UniqueSet] {
    Set(sets).sorted { one, other in
      one.parts.map(\.column).lexicographicallyPrecedes(other.parts.map(\.column))
        || one.parts.map(\.column) == other.parts.map(\.column)
          && one.parts.map(\.collation).lexicographicallyPrecedes(other.parts.map(\.collation))
    }
  }
}
