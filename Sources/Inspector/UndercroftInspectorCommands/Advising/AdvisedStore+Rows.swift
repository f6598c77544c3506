import UndercroftCore
import UndercroftInspection

/// The rowids of rows, which `SELECT *` omits.
extension AdvisedStore {
  /// Returns the rowid of a row, or `nil` if it has none, or if the table has changed meanwhile.
  ///
  /// - Parameters:
  ///   - number: the position of the row among all rows, from 1.
  ///   - digest: the ``RowDigest`` of the row.
  ///   - table: the table.
  func rowID(ofRow number: Int, _ digest: Int, in table: InspectedTable) -> Int64? {
    // Columns can have the names of the rowid.
    let names = Set(table.columns.map { ExactString($0.lowercased()) })
    guard let engine,
      let name = ["rowid", "_rowid_", "oid"].first(where: { !names.contains(ExactString($0)) })
    else { return nil }
    var found: Int64?
    // All columns are selected, because SQLite may read fewer ones from an index in another order.
    try? engine.run(
      """
      SELECT \(name), * FROM \(SQLIdentifier.quoted(table.name)) LIMIT 1 OFFSET \(number - 1)
      """, on: [try queried()], limits: QueryLimits(), columns: { _ in }
    ) { row in
      if case .integer(let number)? = row.first, RowDigest.of(Array(row.dropFirst())) == digest {
        found = number
      }
      return false
    }
    return found
  }
}
