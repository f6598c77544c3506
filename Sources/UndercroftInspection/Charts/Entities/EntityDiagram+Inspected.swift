extension EntityDiagram {
  /// Creates the diagram of the tables of a database, with their declared and inferred references.
  package init(title: String, inspected: [InspectedTable]) {
    let tables = inspected.filter { $0.rowCount != nil || !$0.columns.isEmpty }
    self.init(
      title: title,
      tables: tables.map { table in
        Table(
          table.name,
          table.columns.enumerated().map { index, name in
            Column(
              name, index < table.columnTypes.count ? table.columnTypes[index] : "",
              isPrimaryKey: table.keyColumns.contains(name),
              isUnique: table.uniqueColumns.contains(name))
          })
      },
      references: tables.flatMap { table in
        table.references.map { key in
          Reference(
            from: table.name, key.columns, to: key.table, key.targetColumns,
            isUnique: table.isUnique(key.columns), isOptional: table.canBeNull(key.columns))
        } + Self.inferred(table, among: tables)
      })
  }

  /// Creates a diagram of several diagrams, with the title of each before the names of its tables.
  package init(title: String, _ parts: [EntityDiagram]) {
    self.init(
      title: title,
      tables: parts.flatMap { part in
        part.tables.map { Table("\(part.title).\($0.name)", $0.columns) }
      },
      references: parts.flatMap { part in
        part.references.map { reference in
          var reference = reference
          reference.table = "\(part.title).\(reference.table)"
          reference.target = "\(part.title).\(reference.target)"
          return reference
        }
      })
  }

  /// Returns references that the schema does not declare: columns whose name consists of the name
  /// of another table and a suffix such as `_id`.
  private static func inferred(
    _ table: InspectedTable, among tables: [InspectedTable]
  ) -> [Reference] {
    let declared = Set(table.references.flatMap(\.columns))
    return table.columns.compactMap { column in
      guard !declared.contains(column), !table.keyColumns.contains(column),
        let name = referencedName(column),
        let target = tables.first(where: {
          $0.name.lowercased() == name && $0.keyColumns.count == 1
        })
      else { return nil }
      return Reference(
        from: table.name, [column], to: target.name, isInferred: true,
        isUnique: table.isUnique([column]), isOptional: table.canBeNull([column]))
    }
  }

  /// Returns the part of a column's name before a suffix such as `_id`, in lower case, or `nil` if
  /// the name has no such suffix.
  private static func referencedName(_ column: String) -> String? {
    for suffix in ["_id", "_uuid", "ID", "Id"] where column.hasSuffix(suffix) {
      let name = column.dropLast(suffix.count).lowercased()
      return name.isEmpty ? nil : name
    }
    return nil
  }
}

extension InspectedTable {
  /// Returns whether no two rows have the same values in columns.
  fileprivate func isUnique(_ columns: [String]) -> Bool {
    columns == keyColumns || columns.count == 1 && uniqueColumns.contains(columns[0])
  }

  /// Returns whether one of the columns can be NULL, so that a row refers to no row.
  fileprivate func canBeNull(_ columns: [String]) -> Bool {
    columns.contains { nullableColumns.contains($0) }
  }
}
