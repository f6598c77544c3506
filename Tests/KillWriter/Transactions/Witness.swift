import ArgumentParser
import CSQLite
import Foundation

/// The second process of ``Transactions``, which uses only libsqlite3 to read or write the file for
/// each line of input.
struct Witness: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read or write a library for each line of input, only with libsqlite3.")

  @Option var file: String

  func run() throws {
    var connection: OpaquePointer?
    guard sqlite3_open(file, &connection) == SQLITE_OK, let connection else {
      throw ExitCode.failure
    }
    defer { sqlite3_close_v2(connection) }
    // If the other process left a transaction open, this one would wait for its lock until this
    // timeout.
    sqlite3_busy_timeout(connection, 20_000)
    while let order = readLine() {
      let sql =
        order == "write"
        ? "INSERT INTO visit DEFAULT VALUES RETURNING 'written'" : LibraryRows.query
      try FileHandle.standardOutput.write(
        contentsOf: Data("\(answer(of: sql, on: connection))\n".utf8))
    }
  }

  private func answer(of sql: String, on connection: OpaquePointer) -> String {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
      return "error: \(String(cString: sqlite3_errmsg(connection)))"
    }
    guard sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
    else { return "error: \(String(cString: sqlite3_errmsg(connection)))" }
    let answer = String(cString: text)
    // A statement that writes is committed when it ends.
    guard sqlite3_step(statement) == SQLITE_DONE else {
      return "error: \(String(cString: sqlite3_errmsg(connection)))"
    }
    return answer
  }
}

/// The parent's handle of the ``Witness`` process.
final class WitnessProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  init(of file: URL) throws {
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["witness", "--file", file.path()]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Returns the rows that the second process reads from the file, as one string.
  func look() throws -> String { try ask("look") }

  /// Makes the second process commit a row, which needs the writer lock.
  func write() throws -> String { try ask("write") }

  private func ask(_ order: String) throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data("\(order)\n".utf8))
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      // Do not call `read(upToCount:)`, which waits for the whole number of bytes.
      let bytes = output.fileHandleForReading.availableData
      if bytes.isEmpty {
        throw ValidationError(
          """
          cannot send "\(order)" to the second process: the process has ended; read the error of the \
          process above
          """)
      }
      unread += bytes
    }
  }

  /// Ends the second process.
  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
