#if SyncPostgres && SyncServer && SyncHTTP
  import Foundation
  import TestSupport
  import Testing
  import UndercroftSQLite
  import UndercroftSync
  import UndercroftSyncHTTP

  /// A process of the built tool `undercroft-sync-server`, which is killed when it is deallocated.
  final class ToolServer: Sendable {
    private let process: Process
    private let port: Int
    /// What the process has printed before it listened.
    let output: String

    /// Starts a server on a database, and waits until it listens on a free port.
    ///
    /// - Parameter log: the file for the log of the server.
    init(_ program: Program, on database: TestDatabase, log: String) async throws {
      process = Process()
      process.executableURL = program.url
      process.arguments = [
        "serve", "--postgres", database.address, "--port", "0", "--log-format", "json",
      ]
      for path in [log, log + ".out"] {
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
          throw CocoaError(.fileWriteUnknown)
        }
      }
      process.standardInput = FileHandle.nullDevice
      process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
      process.standardOutput = try FileHandle(forWritingTo: URL(filePath: log + ".out"))
      try process.run()
      var (found, text): (Int?, String) = (nil, "")
      _ = try await eventually { [process] in
        text = try String(contentsOfFile: log, encoding: .utf8)
        found = text.firstMatch(of: /"address":"http:\/\/127.0.0.1:(\d+)"/).flatMap { Int($0.1) }
        return found != nil || !process.isRunning
      }
      port = try #require(found, "\(text)")
      output = try String(contentsOfFile: log + ".out", encoding: .utf8)
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The token that the process has printed, or `nil` if it has printed none.
    var token: String? { output.firstMatch(of: /ucs_[\w-]{43}/).map { String($0.output) } }

    /// Stops the process with `SIGTERM`, and returns its status.
    func stop() async throws -> Int32 {
      kill(process.processIdentifier, SIGTERM)
      _ = try await eventually { [process] in !process.isRunning }
      return process.terminationStatus
    }

    /// Returns a peer that sends its requests to this process.
    func peer(_ token: String) throws -> HTTPSyncPeer {
      let address = try #require(URL(string: "http://127.0.0.1:\(port)"))
      return HTTPSyncPeer(server: address) { _ in token }
    }

    /// Synchronises the table of books of a database.
    func synchronise(
      _ database: Database, _ token: String, account: String = "owner"
    ) async throws {
      let peer = try peer(token)
      let engine = try SyncEngine(
        database, scope: library, account: account, tables: [SyncedTable("book")], peer: peer)
      do { _ = try await engine.sync() } catch {
        await peer.close()
        throw error
      }
      await peer.close()
    }
  }
#endif
