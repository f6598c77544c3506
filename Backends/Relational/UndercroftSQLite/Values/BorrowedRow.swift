package import UndercroftCore

/// A reference to the current row for code that cannot
/// borrow a noncopyable ``Row``, such as a `Decoder`.
///
/// The reference is empty after ``endBorrow()``. If code still uses the reference, ``column(_:)``
/// throws or returns a column of the row that was borrowed next, but never reads freed memory.
package final class BorrowedRow {
  // The properties are read for every value, and only by the thread of the row.
  @exclusivity(unchecked) private var statement: OpaquePointer?
  @exclusivity(unchecked) private var columns: [OwnedColumn] = []

  package init() {}

  /// Makes a row available through this reference.
  ///
  /// Call ``endBorrow()`` before the closure that received the row returns.
  package func borrow(_ row: borrowing Row) { statement = row.statement }

  /// Makes values available through this reference, as if they were a row.
  package func borrow(_ columns: [OwnedColumn]) { self.columns = columns }

  /// Ends the borrowing of the row or the values.
  package func endBorrow() {
    statement = nil
    if !columns.isEmpty { columns = [] }
  }

  /// Returns the column at a position, counted from 0.
  ///
  /// This reference can borrow a row, or copied values that are read like a row. The column is
  /// valid only while the row or the values are borrowed.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if nothing is borrowed, or if no borrowed value has
  ///   this position.
  package func column(_ position: Int) throws(StorageError) -> SQLColumn {
    if let statement {
      return SQLColumn(statement: statement, position: Int32(clamping: position))
    }
    guard columns.indices.contains(position) else {
      throw .sqliteMisuse(
        """
        cannot read column \(position), counted from 0: the Decoder of the row was used after \
        init(from:) returned
        """,
        suggestion: "decode all values within init(from:), and do not store the Decoder")
    }
    return SQLColumn(columns[position])
  }
}
