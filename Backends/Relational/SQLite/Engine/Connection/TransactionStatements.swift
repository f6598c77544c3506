import CSQLite
import UndercroftCore

/// The statements that begin and end transactions, prepared once and kept apart because every call needs them.
final class TransactionStatements {
  private let connection: OpaquePointer
  private var prepared = [OpaquePointer?](repeating: nil, count: TransactionControl.allCases.count)

  init(on connection: OpaquePointer) { self.connection = connection }

  func run(_ control: TransactionControl) throws(StorageError) {
    let place = control.rawValue
    let statement: Statement
    if let raw = prepared[place] {
      statement = Statement(adopting: raw)
    } else {
      statement = try Statement(control.sql, on: connection)
    }
    // It has no values to clear. A refused COMMIT must be reset as well before it can be run again.
    do throws(StorageError) {
      while try statement.step() {}
    } catch {
      prepared[place] = statement.releaseUnbound()
      throw error
    }
    prepared[place] = statement.releaseUnbound()
  }

  /// Finalizes them, before the connection is closed.
  func removeAll() {
    for statement in prepared { sqlite3_finalize(statement) }
    prepared = prepared.map { _ in nil }
  }
}
