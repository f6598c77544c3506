/// A reference whose tables and columns are positions in a diagram.
struct ResolvedReference {
  var source: Int
  var sourceColumns: [Int]
  var target: Int
  var targetColumns: [Int]
  var reference: EntityDiagram.Reference

  /// The first column of the reference, or `nil` if the table has no such column.
  var sourceColumn: Int? { sourceColumns.first }
  /// The first referenced column, or `nil` if it is unknown.
  var targetColumn: Int? { targetColumns.first }

  /// A readable form, such as `loan.book_id → book.id`.
  var label: String {
    let source = reference.table + Self.suffix(reference.columns)
    let target = reference.target + Self.suffix(reference.targetColumns)
    return "\(source) → \(target)\(reference.isInferred ? " (inferred)" : "")"
  }

  private static func suffix(_ columns: [String]) -> String {
    let names = columns.joined(separator: ", ")
    return columns.count > 1 ? ".(\(names))" : columns.isEmpty ? "" : ".\(names)"
  }
}

extension EntityDiagram {
  /// The references between tables of the diagram, in their order.
  var resolvedReferences: [ResolvedReference] {
    let tableIndex = IdentifierIndex(tables.map(\.name))
    let columnIndexes = tables.map { IdentifierIndex($0.columns.map(\.name)) }
    return references.compactMap { reference in
      guard let source = tableIndex.position(of: reference.table),
        let target = tableIndex.position(of: reference.target)
      else { return nil }
      let targetColumns =
        reference.targetColumns.isEmpty
        ? tables[target].columns.indices.filter { tables[target].columns[$0].isPrimaryKey }
        : reference.targetColumns.compactMap { columnIndexes[target].position(of: $0) }
      return ResolvedReference(
        source: source,
        sourceColumns: reference.columns.compactMap { columnIndexes[source].position(of: $0) },
        target: target, targetColumns: targetColumns, reference: reference)
    }
  }
}
