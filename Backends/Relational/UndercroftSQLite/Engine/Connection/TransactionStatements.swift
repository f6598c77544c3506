import CSQLite
import UndercroftCore

/// The statements that begin and end transactions, each prepared once.
///
/// Every transaction needs these statements, so they are stored here and not in the statement
/// cache.
final class TransactionStatements {
  private let connection: OpaquePointer
  // Only the thread that holds the connection uses this property.
  @exclusivity(unchecked)
  private var prepared = [OpaquePointer?](repeating: nil, count: TransactionControl.allCases.count)

  init(on connection: OpaquePointer) { self.connection = connection }

  func run(_ control: TransactionControl) throws(StorageError) {
    let raw = try statement(control)
    // The statement has no values to clear. The statement is also reset after a refused COMMIT,
    // because SQLite cannot run it again otherwise.
    defer { sqlite3_reset(raw) }
    let code = sqlite3_step(raw)
    if code == SQLITE_DONE { return }
    let error = StorageError.sqlite("run", SQLiteError(code, on: connection, sql: control.sql))
    // The first transaction opens the write-ahead log.
    throw control.isBeginning ? error.explainingRefusedFile : error
  }

  private func statement(_ control: TransactionControl) throws(StorageError) -> OpaquePointer {
    if let raw = prepared[control.rawValue] { return raw }
    let raw = try Statement(control.sql, on: connection).release()
    prepared[control.rawValue] = raw
    return raw
  }

  /// Finalizes all statements.
  ///
  /// Must be called before the connection is closed.
  func removeAll() {
    for statement in prepared { sqlite3_finalize(statement) }
    prepared = prepared.map { _ in nil }
  }
}
