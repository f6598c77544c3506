import Synchronization
import UndercroftCore
import UndercroftSQLite

extension RecordCodec {
  /// Verifies with a stored record that no two declared columns are swapped.
  ///
  /// Columns must be declared in the order of the parameters of the record's initialiser. The
  /// compiler cannot detect that two columns of the same type are swapped.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the properties of two columns return each other's
  ///   value.
  func requireOrder(
    _ record: Record, as row: borrowing Row, of table: TableDefinition
  ) throws {
    var stored: [SQLValue] = []
    for position in table.columns.indices { stored.append(try row.value(at: position)) }
    let encoded = try binders.map { try $0.value(record) }
    for first in stored.indices {
      // Ignores columns with equal values, and values that the
      // initialiser of the record has changed.
      for second in stored.indices where first < second && stored[first] != stored[second] {
        guard encoded[first] == stored[second], encoded[second] == stored[first] else { continue }
        let names = [first, second].map { quoted(table.columns[$0].name) }.joined(
          separator: " and ")
        throw StorageError.table(
          """
          cannot use the table \(quoted(table.name)): in a record that is read from the table, the \
          properties of the columns \(names) have each other's value
          """,
          suggestion: """
            declare the columns in the order of the parameters of the record's initialiser, and \
            each column with its own property
            """)
      }
    }
  }
}

/// A counter that limits how often the order of a table's columns is checked.
///
/// Several records are checked, because the first record can have the same value in every column.
final class OrderCheck: Sendable {
  private let left = Atomic(16)

  /// Whether further records must be checked, because fewer than 16 records have been checked.
  var isActive: Bool { left.load(ordering: .relaxed) > 0 }

  /// Whether the next record should be checked.
  ///
  /// Each access that returns `true` counts as one check. After 16 checks, the value is `false`.
  var isDue: Bool {
    if left.load(ordering: .relaxed) <= 0 { return false }
    left.subtract(1, ordering: .relaxed)
    return true
  }
}
