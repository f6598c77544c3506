import UndercroftSQLite

// The record of a table supplies all columns of this table. To
// another table, it supplies the columns with the same names.

extension VirtualRecord where Self: TableRecord {
  public func columnValues() throws -> ColumnValues { try Self.table.values(of: self) }

  public mutating func assign(_ values: ColumnValues) throws {
    self = try Self.table.record(self, taking: values)
  }
}

// If a type is both `Codable` and the record of a table, the declaration of the table applies.
extension VirtualRecord where Self: TableRecord & Codable {
  public func columnValues() throws -> ColumnValues { try Self.table.values(of: self) }

  public mutating func assign(_ values: ColumnValues) throws {
    self = try Self.table.record(self, taking: values)
  }
}
