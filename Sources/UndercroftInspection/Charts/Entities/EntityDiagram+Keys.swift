extension EntityDiagram {
  /// The key marks of each column of each table, such as `PK` and `FK`.
  ///
  /// The column of a foreign key is marked even if the referenced table is missing.
  var keyMarks: [[[String]]] {
    var foreign = tables.map { Array(repeating: false, count: $0.columns.count) }
    let tableIndex = IdentifierIndex(tables.map(\.name))
    let columnIndexes = tables.map { IdentifierIndex($0.columns.map(\.name)) }
    for reference in references {
      guard let table = tableIndex.position(of: reference.table) else { continue }
      for column in reference.columns.compactMap({ columnIndexes[table].position(of: $0) }) {
        foreign[table][column] = true
      }
    }
    return zip(tables, foreign).map { table, foreign in
      zip(table.columns, foreign).map { Self.marks($0, isForeign: $1) }
    }
  }

  private static func marks(_ column: Column, isForeign: Bool) -> [String] {
    var marks: [String] = []
    if column.isPrimaryKey { marks.append("PK") }
    if isForeign { marks.append("FK") }
    if column.isUnique, !column.isPrimaryKey { marks.append("UK") }
    return marks
  }
}
