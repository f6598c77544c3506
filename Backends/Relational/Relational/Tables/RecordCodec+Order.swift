import Synchronization
import UndercroftCore
import UndercroftSQLite

extension RecordCodec {
  /// Makes sure that no two columns of one type have changed places, which the compiler cannot tell: what was read into a property must
  /// come out of it again.
  func requireOrder(
    _ record: Record, as row: borrowing Row, of table: TableDefinition
  ) throws {
    var kept: [SQLValue] = []
    for place in table.columns.indices { kept.append(try row.value(at: place)) }
    let shown = try binders.map { try $0.value(record) }
    for one in kept.indices {
      // What an initialiser has changed, and every column alike, is its own business.
      for other in kept.indices where one < other && kept[one] != kept[other] {
        guard shown[one] == kept[other], shown[other] == kept[one] else { continue }
        let names = [one, other].map { quoted(table.columns[$0].name) }.joined(separator: " and ")
        throw StorageError(
          .misuse,
          "cannot use the table \(quoted(table.name)): its columns \(names) come back in each other's place",
          cure: "declare the columns in the order of the initialiser", backend: "sqlite")
      }
    }
  }
}

/// Whether the order of a table's columns is still to be looked at: for some records, as the first may have the same value everywhere.
final class OrderCheck: Sendable {
  private let left = Atomic(16)

  /// Counts the records that ask.
  var isDue: Bool {
    if left.load(ordering: .relaxed) <= 0 { return false }
    left.subtract(1, ordering: .relaxed)
    return true
  }
}
