/// An index that a table declares.
struct IndexDefinition: Sendable, Equatable {
  var columns: [String]

  /// What the names of all declared indexes begin with: others were made by hand, and are nobody's business here.
  static let prefix = "undercroft_"

  /// Its name in the schema, which says what it is an index of.
  func name(on table: String) -> String {
    Self.prefix + ([table] + columns).joined(separator: "_")
  }
}
