import UndercroftCore
import UndercroftSQLite

// The column names are the coding keys. If a column has another name,
// `CodingKeys` declare it: `case authorID = "author_id"`. A `Codable`
// record of a table uses the declaration of the table instead.

extension VirtualRecord where Self: Codable {
  public func columnValues() throws -> ColumnValues { try ColumnValuesEncoder().encode(self) }

  /// Assigns values to the properties whose coding keys are the names of the values.
  ///
  /// A coding key that is equal to no name is compared again without regard to the case of ASCII
  /// letters, because the declared name of a column can differ in case from the coding key. The
  /// method encodes the record, replaces the assigned values, and decodes the result. Other
  /// properties therefore retain their current values.
  public mutating func assign(_ values: ColumnValues) throws {
    var all = try columnValues()
    // A table supplies its columns under their declared names, which can differ in case from the
    // coding keys.
    var folded: [ExactString: SQLValue] = [:]
    for (name, value) in values.values { folded[SQLName.folded(name.text)] = value }
    for name in all.names {
      if let value = values[name] ?? folded[SQLName.folded(name)] { all[name] = value }
    }
    self = try ColumnValuesDecoder().decode(Self.self, from: all)
  }
}

extension VirtualRecord where Self: AnyObject & Codable {
  // A method of a class cannot replace `self`.
  @available(
    *, unavailable, message: "declare a mapping (MappedRecord), or write assign(_:) by hand"
  )
  public mutating func assign(_ values: ColumnValues) throws {}
}
