package import UndercroftCore

/// A row for whoever cannot borrow one, such as a `Decoder`: empty as soon as the row's closure has ended.
///
/// What is kept of it beyond that throws, or sees the row that is lent next, and never reads memory that is gone.
package final class LentRow {
  // Looked at for every value, and by the thread of the row alone.
  @exclusivity(unchecked) private var statement: OpaquePointer?
  @exclusivity(unchecked) private var kept: [KeptColumn] = []

  package init() {}

  /// Lends a row; ``takeBack()`` must follow before its closure ends.
  package func lend(_ row: borrowing Row) { statement = row.statement }

  /// Lends values as though they were a row.
  package func lend(_ columns: [KeptColumn]) { kept = columns }

  /// Ends the loan.
  package func takeBack() {
    statement = nil
    if !kept.isEmpty { kept = [] }
  }

  /// The column at a position, to be read at once.
  package func column(_ position: Int) throws(StorageError) -> SQLColumn {
    if let statement,
      let column = SQLColumn(statement: statement, position: Int32(clamping: position))
    {
      return column
    }
    guard kept.indices.contains(position) else {
      throw .sqliteMisuse(
        "cannot read a column: its row is no longer at hand",
        cure: "decode within init(from:), and keep no decoder")
    }
    return SQLColumn(kept[position])
  }
}
