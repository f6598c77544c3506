/// An index that a table declares.
struct IndexDefinition: Sendable, Equatable {
  var columns: [String]
  /// Whether no two rows it holds may have the same values.
  var isUnique = false
  /// Which rows it holds, as a condition of SQL; all where there is none.
  var condition: String?
  /// Whether it is made together with the table, and never for one that is there already.
  var isForNewTables = false
}
