import CSQLite
import Foundation

/// A raw SQLite connection that simulates another program that uses the same file.
final class OtherProgram {
  struct Failure: Error { let code: Int32 }

  private(set) var connection: OpaquePointer?

  init(_ url: URL) throws {
    let code = sqlite3_open(url.path, &connection)
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }

  deinit { sqlite3_close_v2(connection) }

  func run(_ sql: String) throws {
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }

  /// Returns the first column of each row as text.
  func texts(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    var code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    guard code == SQLITE_OK else { throw Failure(code: code) }
    var texts: [String] = []
    while true {
      code = sqlite3_step(statement)
      if code == SQLITE_DONE { return texts }
      guard code == SQLITE_ROW else { throw Failure(code: code) }
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
  }
}
