#if SyncServer
  package import Foundation
  import Synchronization

  /// The program `undercroft-sync-server` as a process, which can be ended and started again.
  ///
  /// The process is killed with the last reference to this object, and when this process ends.
  package final class ServerProcess: Sendable {
    package struct Failure: Error, CustomStringConvertible {
      package let description: String

      package init(description: String) { self.description = description }
    }

    private struct State {
      var process: WatchedProcess?
      /// The number of bytes in the files before the last start.
      var starts: (log: UInt64, output: UInt64) = (0, 0)
      var address: URL?
    }

    private let program: URL
    private let arguments: [String]
    private let environment: [String: String]
    /// The file with the log, which is everything that the program writes to its standard error.
    private let log: URL
    /// The file with everything that the program prints.
    private let printed: URL
    private let state = Mutex(State())

    /// Creates a server that is not started yet.
    ///
    /// - Parameters:
    ///   - program: the built program.
    ///   - arguments: the arguments of the command `serve`, such as `--data` and a folder.
    ///   - port: the port, 0 for another free port after each start, or `nil` if the environment or
    ///     a file states it.
    ///   - environment: the environment variables that differ from the variables of this process.
    ///   - log: the file to which the log is appended. Another file beside it contains the standard
    ///     output.
    package init(
      _ program: URL, _ arguments: [String], port: Int? = 0, environment: [String: String] = [:],
      log: URL
    ) {
      self.program = program
      self.arguments =
        ["serve"] + arguments + (port.map { ["--port", "\($0)"] } ?? [])
        + ["--log-format", "json"]
      self.environment = environment
      self.log = log
      printed = log.appendingPathExtension("output")
    }

    // MARK: Starting

    /// Starts the server without waiting for it.
    package func start() throws {
      let starts = (Self.size(of: log), Self.size(of: printed))
      let process = try WatchedProcess(
        program, arguments, environment: environment, output: printed, errors: log)
      state.withLock { $0 = State(process: process, starts: starts) }
    }

    /// Starts the server, and blocks the thread until it listens.
    ///
    /// - Throws: ``Failure`` with the log if the server ends instead, or does not listen in time.
    package func startListening() throws {
      try start()
      guard !waitUntilListening() else { return }
      _ = kill()
      throw Failure(description: "the server does not listen: \(errors)")
    }

    /// Blocks the thread until the server listens, and returns `false` if the server has ended, or
    /// does not listen after the time.
    package func waitUntilListening(within limit: Duration = .seconds(600)) -> Bool {
      let deadline = ContinuousClock.now + limit
      while isRunning, ContinuousClock.now < deadline {
        if address != nil { return true }
        Thread.sleep(forTimeInterval: 0.005)
      }
      return false
    }

    // MARK: State

    package var isRunning: Bool { state.withLock { $0.process?.isRunning == true } }

    /// The identifier of the process, or `nil` if it is not running.
    package var identifier: Int32? { state.withLock { $0.process?.identifier } }

    /// The address on which the server listens, or `nil` if it does not listen yet.
    package var address: URL? {
      state.withLock { state in
        guard state.process != nil else { return nil }
        if let address = state.address { return address }
        state.address = Self.text(of: log, from: state.starts.log)
          .firstMatch(of: /"address":"(https?:\/\/[^"]*)"/)
          .flatMap { URL(string: String($0.1)) }
        return state.address
      }
    }

    /// The port on which the server listens, or `nil` if it does not listen yet.
    package var port: Int? { address?.port }

    /// The log since the last start.
    package var errors: String { Self.text(of: log, from: state.withLock { $0.starts.log }) }

    /// The text that the server has printed since the last start.
    package var output: String {
      Self.text(of: printed, from: state.withLock { $0.starts.output })
    }

    /// The token that the server has printed since the last start, or `nil` if it has printed none.
    package var token: String? { output.firstMatch(of: /ucs_[\w-]{43}/).map { String($0.output) } }

    private static func size(of file: URL) -> UInt64 {
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
      return attributes?[.size] as? UInt64 ?? 0
    }

    private static func text(of file: URL, from start: UInt64) -> String {
      guard let handle = try? FileHandle(forReadingFrom: file),
        (try? handle.seek(toOffset: start)) != nil
      else { return "" }
      return String(decoding: (try? handle.readToEnd()) ?? Data(), as: UTF8.self)
    }

    // MARK: Ending

    /// Waits for a time, or until the server ends earlier.
    package func waitForEnd(within limit: Duration) {
      let deadline = ContinuousClock.now + limit
      while isRunning, ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.002) }
    }

    /// Kills the server, and returns its wait status: `SIGKILL` if it was alive, or 0 if it was not
    /// started.
    package func kill() -> Int32 { end(SIGKILL) }

    /// Stops the server gracefully, and returns its wait status, which is 0 after a success.
    ///
    /// A server that does not end by itself is killed, and the status is then `SIGKILL`.
    package func stop(_ signal: Int32 = SIGTERM) -> Int32 { end(signal) }

    private func end(_ signal: Int32) -> Int32 {
      let process = state.withLock { state in
        state.address = nil
        return state.process.take()
      }
      return process?.end(signal) ?? 0
    }

    // MARK: Tokens

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - scope: the scope or the pattern of scopes to which the token grants access.
    ///   - data: the arguments that select the data.
    package static func createToken(
      _ program: URL, account: String, scope: String = "*", data: [String]
    ) throws -> String {
      let (process, output, errors) = (Process(), Pipe(), Pipe())
      process.executableURL = program
      process.arguments = ["token", "create", account, "--scope", scope] + data
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      let texts = try [output, errors].map {
        String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      }
      process.waitUntilExit()
      let token = texts[0].trimmingCharacters(in: .whitespacesAndNewlines)
      guard process.terminationStatus == 0, !token.isEmpty else {
        throw Failure(description: "cannot create a token for \(account): \(texts[1])")
      }
      return token
    }
  }
#endif
