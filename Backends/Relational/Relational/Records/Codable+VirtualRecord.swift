import UndercroftCore
import UndercroftSQLite

// The names are the coding keys; where a column is called otherwise, `CodingKeys` say so: `case authorID = "author_id"`.
// A record that is a table's and Codable goes by the table.

extension VirtualRecord where Self: Codable {
  public func columnValues() throws -> ColumnValues { try ColumnValuesEncoder().encode(self) }

  /// A property that is not named keeps its value, also where its type has no default.
  public mutating func take(_ values: ColumnValues) throws {
    var all = try columnValues()
    // A table shows its columns as they are declared, whatever the case of the coding keys.
    var given: [ExactString: SQLValue] = [:]
    for (name, value) in values.values { given[SQLName.folded(name.text)] = value }
    for name in all.names {
      if let value = values[name] ?? given[SQLName.folded(name)] { all[name] = value }
    }
    self = try ColumnValuesDecoder().decode(Self.self, from: all)
  }
}

extension VirtualRecord where Self: AnyObject & Codable {
  // An object cannot be made anew where it stands.
  @available(*, unavailable, message: "declare a mapping (MappedRecord), or write take(_:) by hand")
  public mutating func take(_ values: ColumnValues) throws {}
}
