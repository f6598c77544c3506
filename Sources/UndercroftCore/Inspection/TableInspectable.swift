#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store that keeps rows in tables, and lets them be looked at without being changed.
public protocol TableInspectable: Inspectable {
  /// Returns the tables and views, sorted by name.
  func tables() throws(StorageError) -> [InspectedTable]

  /// Returns some rows of a table in the order in which the store keeps them.
  ///
  /// - Parameters:
  ///   - offset: how many rows to leave out at the beginning.
  ///   - limit: how many rows to return at most.
  /// - Throws: ``StorageError/Code/invalidKey`` when there is no such table.
  func rows(of table: String, offset: Int, limit: Int) throws(StorageError) -> InspectedRows
}

/// A table or view of a store.
public struct InspectedTable: Sendable, Equatable {
  /// The name, as the schema spells it.
  public let name: String
  /// The names of its columns in their order.
  public let columns: [String]
  /// How many rows there are, or `nil` where they cannot be counted, as in a damaged table.
  public let rowCount: Int?
  /// The statement that made it.
  public let definition: String

  /// Makes a table.
  public init(name: String, columns: [String], rowCount: Int?, definition: String) {
    self.name = name
    self.columns = columns
    self.rowCount = rowCount
    self.definition = definition
  }
}

/// Some rows of a table.
public struct InspectedRows: Sendable, Equatable {
  /// The names of the columns.
  public let columns: [String]
  /// The rows, each with a value for every column.
  public let rows: [[InspectedValue]]

  /// Makes rows.
  public init(columns: [String], rows: [[InspectedValue]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// One value of a row, as it is kept.
public enum InspectedValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Bytes that are no text; also text of which some bytes are not UTF-8.
  case bytes(Data)
}
