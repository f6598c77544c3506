import CSQLite
import UndercroftCore

/// The statements that begin and end transactions, prepared once and kept apart because every call needs them.
final class TransactionStatements {
  private let connection: OpaquePointer
  private var prepared = [OpaquePointer?](repeating: nil, count: TransactionControl.allCases.count)

  init(on connection: OpaquePointer) { self.connection = connection }

  func run(_ control: TransactionControl) throws(StorageError) {
    let raw = try statement(control)
    // It has no values to clear. A refused COMMIT must be reset as well before it can be run again.
    defer { sqlite3_reset(raw) }
    let code = sqlite3_step(raw)
    if code == SQLITE_DONE { return }
    throw .sqlite("run", SQLiteError(code, on: connection, sql: control.sql))
  }

  private func statement(_ control: TransactionControl) throws(StorageError) -> OpaquePointer {
    if let raw = prepared[control.rawValue] { return raw }
    let raw = try Statement(control.sql, on: connection).release()
    prepared[control.rawValue] = raw
    return raw
  }

  /// Finalizes them, before the connection is closed.
  func removeAll() {
    for statement in prepared { sqlite3_finalize(statement) }
    prepared = prepared.map { _ in nil }
  }
}
