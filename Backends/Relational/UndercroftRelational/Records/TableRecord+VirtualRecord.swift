import UndercroftSQLite

// The record of a table supplies all columns of this table. For another table, the record supplies
// the columns with the same names.
//
// These are extensions of `TableRecord` and not of `VirtualRecord`. As extensions of
// `VirtualRecord`, these methods would be candidates for every virtual record. To exclude the
// methods, Swift 6.3 would check whether the type is `Sendable`. In a module with the default
// isolation `MainActor`, the result depends on the isolation of the type, which depends on its
// conformances: a circular reference.

extension TableRecord where Self: VirtualRecord {
  public func columnValues() throws -> ColumnValues { try Self.table.values(of: self) }

  public mutating func assign(_ values: ColumnValues) throws {
    self = try Self.table.record(self, taking: values)
  }
}

// If a type is both `Codable` and the record of a table, the declaration of the table applies.
extension TableRecord where Self: VirtualRecord & Codable {
  public func columnValues() throws -> ColumnValues { try Self.table.values(of: self) }

  public mutating func assign(_ values: ColumnValues) throws {
    self = try Self.table.record(self, taking: values)
  }
}
