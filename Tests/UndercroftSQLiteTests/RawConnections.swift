import CSQLite
import Foundation
import Synchronization

/// A record of the libsqlite3 connections of this process, so that a test can call functions on
/// them that the toolkit does not expose.
///
/// Uses `sqlite3_auto_extension`.
enum RawConnections {
  private struct Opened: Sendable {
    let path: String
    let address: UInt
  }

  private struct Record: Sendable {
    var opened: [Opened] = []
    /// The number of connections, keyed by the last two components of the path, because a test run
    /// opens too many connections for repeated searches.
    var counts: [String: Int] = [:]
  }

  private static let log = Mutex(Record())

  private static let isInstalled: Bool = {
    typealias Extension =
      @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
      ) -> Int32
    let record: Extension = { connection, _, _ in
      guard let connection, let file = sqlite3_db_filename(connection, "main") else {
        return SQLITE_OK
      }
      let path = String(cString: file)
      let address = UInt(bitPattern: connection)
      let name = RawConnections.name(URL(filePath: path, directoryHint: .notDirectory))
      RawConnections.log.withLock {
        $0.opened.append(Opened(path: path, address: address))
        $0.counts[name, default: 0] += 1
      }
      return SQLITE_OK
    }
    return sqlite3_auto_extension(unsafeBitCast(record, to: (@convention(c) () -> Void).self))
      == SQLITE_OK
  }()

  /// Starts recording the connections that are opened, and returns whether that succeeded.
  static func record() -> Bool { isInstalled }

  /// Returns the connections to files in `directory` in the order of opening, including closed
  /// ones.
  static func all(in directory: URL) -> [OpaquePointer] {
    log.withLock { $0.opened.filter { $0.path.contains(directory.lastPathComponent) } }
      .compactMap { OpaquePointer(bitPattern: $0.address) }
  }

  /// Returns how many connections to the file at `url` were opened.
  static func count(at url: URL) -> Int {
    log.withLock { $0.counts[name(url), default: 0] }
  }

  private static func name(_ url: URL) -> String {
    url.deletingLastPathComponent().lastPathComponent + "/" + url.lastPathComponent
  }
}

/// A hook that calls a closure each time a connection begins to run a given statement
/// (`SQLITE_TRACE_STMT`).
final class StatementHook: Sendable {
  private let sql: String
  private let action: @Sendable (OpaquePointer) -> Void
  private let limit: Int
  private let runs = Atomic<Int>(0)

  /// The number of times that the statement has begun to run.
  var runCount: Int { runs.load(ordering: .sequentiallyConsistent) }

  /// - Parameter limit: the maximum number of times the closure is called.
  init(
    _ sql: String, on connections: [OpaquePointer], limit: Int = .max,
    _ action: @escaping @Sendable (OpaquePointer) -> Void
  ) {
    self.sql = sql
    self.action = action
    self.limit = limit
    for connection in connections {
      // Never released: the connection may outlive the test.
      sqlite3_trace_v2(
        connection, UInt32(SQLITE_TRACE_STMT),
        { _, context, statement, text in
          guard let context, let statement, let text else { return 0 }
          let hook = Unmanaged<StatementHook>.fromOpaque(context).takeUnretainedValue()
          hook.see(
            String(cString: text.assumingMemoryBound(to: CChar.self)),
            sqlite3_db_handle(OpaquePointer(statement)))
          return 0
        }, Unmanaged.passRetained(self).toOpaque())
    }
  }

  private func see(_ text: String, _ connection: OpaquePointer?) {
    guard text == sql, let connection else { return }
    if runs.add(1, ordering: .sequentiallyConsistent).newValue <= limit { action(connection) }
  }
}
