#if SyncServer
  package import Foundation
  import Synchronization

  /// The program `undercroft-sync-server` as a process, which can be killed and started again.
  package final class ServerProcess: Sendable {
    package struct Failure: Error, CustomStringConvertible {
      package let description: String

      package init(description: String) { self.description = description }
    }

    private struct State {
      var process: WatchedProcess?
      /// The number of bytes in the log before the last start.
      var start: UInt64 = 0
      var port: Int?
    }

    /// The file with everything that the program prints.
    package let log: URL
    private let program: URL
    private let arguments: [String]
    private let state = Mutex(State())

    /// Creates a server that is not started yet.
    ///
    /// - Parameters:
    ///   - program: the built program.
    ///   - data: the arguments that select the data, such as `--data` and a folder.
    ///   - port: the port, or 0 for another free port after each start.
    ///   - log: the file to which the log is appended.
    package init(
      _ program: URL, data: [String], port: Int = 0, log: URL
    ) {
      self.program = program
      self.log = log
      arguments = ["serve"] + data + ["--port", "\(port)", "--log-format", "json"]
    }

    /// Starts the server without waiting for it.
    package func start() throws {
      let size = try? FileManager.default.attributesOfItem(atPath: log.path)[.size] as? UInt64
      let process = try WatchedProcess(program, arguments, output: log)
      state.withLock { state in
        state.process = process
        state.start = size ?? 0
        state.port = nil
      }
    }

    package var isRunning: Bool { state.withLock { $0.process?.isRunning == true } }

    /// The identifier of the process, or `nil` if it is not running.
    package var identifier: Int32? { state.withLock { $0.process?.identifier } }

    /// The port on which the server listens, or `nil` if it does not listen yet.
    package var port: Int? {
      state.withLock { state in
        guard state.process != nil else { return nil }
        if let port = state.port { return port }
        let text = Self.text(of: log, from: state.start)
        state.port = text.firstMatch(of: /"address":"http:\/\/127.0.0.1:(\d+)"/)
          .flatMap { Int($0.1) }
        return state.port
      }
    }

    private static func text(of file: URL, from start: UInt64) -> String {
      guard let handle = try? FileHandle(forReadingFrom: file),
        (try? handle.seek(toOffset: start)) != nil
      else { return "" }
      return String(decoding: (try? handle.readToEnd()) ?? Data(), as: UTF8.self)
    }

    /// Waits until the server answers that it is ready.
    ///
    /// Returns `false` if it does not in time, or has ended.
    package func waitUntilReady(within limit: Duration = .seconds(60)) -> Bool {
      let deadline = ContinuousClock.now + limit
      while isRunning, ContinuousClock.now < deadline {
        if let port, Self.isReady(port) { return true }
        Thread.sleep(forTimeInterval: 0.01)
      }
      return false
    }

    private static func isReady(_ port: Int) -> Bool {
      guard let connection = try? RawConnection(port: port) else { return false }
      let request = "GET /health/ready HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
      return (try? connection.send(Data(request.utf8))) != nil
        && (try? connection.readAnswer().status) == 200
    }

    /// Waits for a time, or until the server ends earlier.
    package func waitForEnd(within limit: Duration) {
      let deadline = ContinuousClock.now + limit
      while isRunning, ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.002) }
    }

    /// Kills the server, and returns its wait status: `SIGKILL` if it was alive, or 0 if it was not
    /// started.
    package func kill() -> Int32 { end(SIGKILL) }

    /// Stops the server gracefully, and returns its wait status, which is 0 after a success.
    package func stop() -> Int32 { end(SIGTERM) }

    private func end(_ signal: Int32) -> Int32 {
      state.withLock { state in
        state.port = nil
        return state.process.take()?.end(signal) ?? 0
      }
    }

    /// Creates a token with access to all scopes.
    ///
    /// - Parameter data: the arguments that select the data.
    package static func createToken(
      _ program: URL, account: String, data: [String]
    ) throws -> String {
      let (process, output) = (Process(), Pipe())
      process.executableURL = program
      process.arguments = ["token", "create", account, "--scope", "*"] + data
      process.standardOutput = output
      try process.run()
      let text = String(
        decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
      guard process.terminationStatus == 0, !token.isEmpty else {
        throw Failure(description: "cannot create a token for the account \(account)")
      }
      return token
    }
  }
#endif
