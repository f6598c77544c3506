/// A column of a table whose changes are captured, as `sync_column` describes it.
package struct CapturedColumn: Sendable, Hashable {
  /// The meaning of a column's values.
  package enum Role: String, Sendable, Hashable {
    /// The value is sent unchanged.
    case value = "value"
    /// The value is an integer, and replicas send the numbers that they add to it.
    case counter = "counter"
    /// The value is the key of a row of a synchronised table.
    case reference = "reference"
    /// The value remains on this device.
    case local = "local"
  }

  package var name: String
  /// The number of the column in the shadow and image tables: position 3 is the column `c3`.
  ///
  /// A position is never used again, so that it identifies the column.
  package var position: Int
  package var role: Role
  /// The table to whose rows a column of role ``Role/reference`` refers.
  package var referencedTable: String?

  package init(
    _ name: String, position: Int, role: Role = .value, referencedTable: String? = nil
  ) {
    self.name = name
    self.position = position
    self.role = role
    self.referencedTable = referencedTable
  }

  /// The name of the column in the shadow and image tables.
  package var storedName: String { "c\(position)" }
}
