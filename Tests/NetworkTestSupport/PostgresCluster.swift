#if SyncPostgres
  import CPostgres
  import Foundation
  import Synchronization

  /// A PostgreSQL server of Debian's packages, which a test starts in a temporary folder.
  ///
  /// The server listens on a Unix socket only, and writes its log with `fsync`. It ends with the
  /// process of the tests. The databases have a collation that does not compare bytes.
  package final class PostgresCluster: Sendable {
    package struct Failure: Error, CustomStringConvertible {
      package let description: String
    }

    private struct State {
      var server: Process?
      /// The input of the shell that watches this process.
      var input: FileHandle?
      var databaseCount = 0
    }

    private let folder: URL
    private let programs: String
    private let state = Mutex(State())

    private static let cluster = Result { try PostgresCluster() }

    /// The server that all tests use that do not end it.
    package static var shared: PostgresCluster { get throws { try cluster.get() } }

    package init() throws {
      folder = URL.temporaryDirectory.resolvingSymlinksInPath()
        .appending(path: "undercroft-\(UUID().uuidString)")
      programs = try Self.programs()
      for path in [data, socket] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        if getuid() == 0, let user = getpwnam("nobody") {
          guard chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
            throw Failure(description: "cannot change the owner of \(path)")
          }
        }
      }
      try initialize()
      try start()
    }

    deinit {
      stop(SIGQUIT)
      try? FileManager.default.removeItem(at: folder)
    }

    private var data: String { folder.appending(path: "data").path }
    private var socket: String { folder.appending(path: "socket").path }
    private var log: String { folder.appending(path: "log.txt").path }

    private func initialize() throws {
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = [
        "-c", "\(Self.unprivileged) \"$@\" 2>&1", "sh", programs + "/initdb", "-D", data, "-U",
        "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--locale-provider=icu",
        "--icu-locale=en-US", "--no-sync",
      ]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      try process.run()
      let text = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure(description: String(decoding: text, as: UTF8.self))
      }
    }

    /// The words before a command that must not run as root.
    private static var unprivileged: String {
      getuid() == 0 ? "exec setpriv --reuid=nobody --regid=nogroup --clear-groups" : "exec"
    }

    /// Returns the folder of the newest installed server.
    private static func programs() throws -> String {
      let root = "/usr/lib/postgresql"
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      guard let newest = versions.compactMap({ Int($0) }).max() else {
        throw Failure(description: "PostgreSQL is not installed; run: make prepare")
      }
      return "\(root)/\(newest)/bin"
    }

    // MARK: Starting and ending

    /// Starts the server, and waits until it accepts connections.
    package func start() throws {
      let isRunning = try wait(.seconds(120)) {
        try launch()
        // After a kill, the server cannot start before the processes of the last one have ended.
        let isReady = wait(.seconds(30)) {
          PQping(address(of: "postgres")) == PQPING_OK || !isLaunched
        }
        return isReady && isLaunched
      }
      guard isRunning else {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw Failure(description: "PostgreSQL does not start: \(text.suffix(2000))")
      }
    }

    /// Blocks the thread until a condition is true, and returns `false` after the time limit.
    private func wait(_ limit: Duration, for condition: () throws -> Bool) rethrows -> Bool {
      let deadline = ContinuousClock.now + limit
      while try !condition() {
        if ContinuousClock.now > deadline { return false }
        Thread.sleep(forTimeInterval: 0.005)
      }
      return true
    }

    private var isLaunched: Bool { state.withLock { $0.server?.isRunning == true } }

    private func launch() throws {
      let server = Process()
      server.executableURL = URL(filePath: "/bin/sh")
      let script = "\(Self.unprivileged) \"$@\" >> '\(log)' 2>&1"
      server.arguments = [
        "-c", script, "sh", programs + "/postgres", "-D", data, "-k", socket, "-h", "",
        "-c", "max_connections=150", "-c", "fsync=on", "-c", "shared_buffers=64MB",
        "-c", "max_wal_size=256MB",
      ]
      server.standardInput = FileHandle.nullDevice
      try server.run()
      let input = try watch(server.processIdentifier)
      state.withLock { ($0.server, $0.input) = (server, input) }
    }

    /// Starts a shell that ends the server and removes the folder when this process ends.
    ///
    /// The input of the shell then ends without a line.
    private func watch(_ server: Int32) throws -> FileHandle {
      let (shell, input) = (Process(), Pipe())
      shell.executableURL = URL(filePath: "/bin/sh")
      let script = """
        read line && exit
        kill -QUIT \(server)
        while kill -0 \(server); do sleep 0.1; done
        rm -rf '\(folder.path)'
        """
      shell.arguments = ["-c", "(\(script)) 2> /dev/null"]
      shell.standardInput = input
      // Another program that this process starts must not prevent the end of the input.
      _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
      try shell.run()
      return input.fileHandleForWriting
    }

    /// Sends a signal to the server, and waits until it has ended.
    ///
    /// `SIGQUIT` ends it as a crash does, without a checkpoint. `SIGKILL` leaves the processes of
    /// connections running for a moment.
    package func stop(_ signal: Int32) {
      let running = state.withLock { state in
        defer { (state.server, state.input) = (nil, nil) }
        return (state.server, state.input)
      }
      guard let server = running.0, let input = running.1 else { return }
      try? input.write(contentsOf: Data("stop\n".utf8))
      try? input.close()
      kill(server.processIdentifier, signal)
      server.waitUntilExit()
    }

    // MARK: Databases

    /// Returns the connection string of a database.
    package func address(of database: String) -> String {
      "host=\(socket) user=postgres dbname=\(database)"
    }

    /// Creates an empty database, and returns its connection string.
    package func makeDatabase(_ options: String = "") throws -> String {
      let number = state.withLock { state in
        state.databaseCount += 1
        return state.databaseCount
      }
      let session = try SQLSession(address(of: "postgres"))
      try session.run("CREATE DATABASE test_\(number) \(options)")
      return address(of: "test_\(number)")
    }
  }
#endif
