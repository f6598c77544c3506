import UndercroftSQLite

// The record of a table shows all of it. To any other table, such as one of the same declaration, it shows the columns that are called alike.

extension VirtualRecord where Self: TableRecord {
  public func columnValues() throws -> ColumnValues { try Self.table.values(of: self) }

  public mutating func take(_ values: ColumnValues) throws {
    self = try Self.table.record(self, taking: values)
  }
}

// A type that is both is what its table says.
extension VirtualRecord where Self: TableRecord & Codable {
  public func columnValues() throws -> ColumnValues { try Self.table.values(of: self) }

  public mutating func take(_ values: ColumnValues) throws {
    self = try Self.table.record(self, taking: values)
  }
}
