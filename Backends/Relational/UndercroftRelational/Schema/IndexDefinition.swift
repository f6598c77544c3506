/// An index that a table declares.
struct IndexDefinition: Sendable, Equatable {
  var columns: [String]
  /// Whether the index is unique: no two indexed rows are allowed to have the same values, other
  /// than NULL.
  var isUnique = false
  /// The condition in SQL that selects the indexed rows, or `nil` for all rows.
  var condition: String?
  /// Whether the index is created only together with the table, and is not added to an existing
  /// table.
  var isForNewTables = false
}
