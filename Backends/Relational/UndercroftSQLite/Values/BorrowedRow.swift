package import UndercroftCore

/// A holder that lends a row to code which cannot borrow it, such as a `Decoder`.
///
/// The holder is empty as soon as the closure of the row has ended.
/// Code that still uses it throws or reads the row that is lent next, and never reads freed memory.
package final class BorrowedRow {
  // The properties are read for every value, and only by the thread of the row.
  @exclusivity(unchecked) private var statement: OpaquePointer?
  @exclusivity(unchecked) private var kept: [OwnedColumn] = []

  package init() {}

  /// Lends a row.
  ///
  /// Call ``takeBack()`` before the closure of the row ends.
  package func lend(_ row: borrowing Row) { statement = row.statement }

  /// Lends values as if they were a row.
  package func lend(_ columns: [OwnedColumn]) { kept = columns }

  /// Ends the loan of the row or the values.
  package func takeBack() {
    statement = nil
    if !kept.isEmpty { kept = [] }
  }

  /// Returns the column at a position, which must be read before the loan ends.
  package func column(_ position: Int) throws(StorageError) -> SQLColumn {
    if let statement,
      let column = SQLColumn(statement: statement, position: Int32(clamping: position))
    {
      return column
    }
    guard kept.indices.contains(position) else {
      throw .sqliteMisuse(
        "cannot read a column: its row is no longer valid",
        suggestion: "decode within init(from:), and do not store the decoder")
    }
    return SQLColumn(kept[position])
  }
}
