import CSQLite
import Foundation

/// A connection of another program's, which does with the file what it likes.
final class OtherProgram {
  struct Failure: Error { let code: Int32 }

  private var connection: OpaquePointer?

  init(_ url: URL) throws {
    let code = sqlite3_open(url.path, &connection)
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }

  deinit { sqlite3_close_v2(connection) }

  func run(_ sql: String) throws {
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }
}
