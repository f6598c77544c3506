#if SyncPostgres
  import CPostgres
  import Foundation
  import Synchronization
  import TestSupport

  /// A PostgreSQL server of Debian's packages, which a test starts in a temporary folder.
  ///
  /// The server listens on a Unix socket only, and writes its log with `fsync`. It ends with the
  /// process of the tests. The databases have a collation that does not compare bytes.
  final class PostgresCluster: Sendable {
    struct Failure: Error, CustomStringConvertible {
      let description: String
    }

    private struct State {
      var supervisor: Process?
      /// The input of the supervisor, which ends when this process ends.
      var input: Pipe?
      var databaseCount = 0
    }

    private let folder: TemporaryDirectory
    private let programs: String
    private let state = Mutex(State())

    private static let cluster = Result { try PostgresCluster() }

    /// The server that all tests use that do not end it.
    static var shared: PostgresCluster { get throws { try cluster.get() } }

    init() throws {
      folder = try TemporaryDirectory()
      programs = try Self.programs()
      for path in [data, socket] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        if getuid() == 0, let user = getpwnam("nobody") {
          guard chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
            throw Failure(description: "cannot change the owner of \(path)")
          }
        }
      }
      let result = try Program(at: "/bin/sh").run([
        "-c", "\(Self.unprivileged) \"$@\"", "sh", programs + "/initdb", "-D", data, "-U",
        "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--locale-provider=icu",
        "--icu-locale=en-US", "--no-sync",
      ])
      guard result.status == 0 else { throw Failure(description: result.errors) }
      try start()
    }

    deinit { stop(SIGQUIT) }

    private var data: String { folder.file("data") }
    private var socket: String { folder.file("socket") }

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
    func start() throws {
      let isRunning = try waitUntil(within: .seconds(120)) {
        try launch()
        // After a kill, the server cannot start before the processes of the last one have ended.
        let isReady = waitUntil(within: .seconds(30)) {
          PQping(address(of: "postgres")) == PQPING_OK || !isLaunched
        }
        return isReady && isLaunched
      }
      guard isRunning else {
        let log = (try? folder.read("data/log.txt")) ?? ""
        throw Failure(description: "PostgreSQL does not start: \(log.suffix(2000))")
      }
    }

    private var isLaunched: Bool { state.withLock { $0.supervisor?.isRunning == true } }

    private func launch() throws {
      let (process, input) = (Process(), Pipe())
      process.executableURL = URL(filePath: "/bin/sh")
      // The shell ends the server when its input ends, which is when the process of the tests ends.
      let script = """
        (\(Self.unprivileged) "$@") >> "\(folder.file("log.txt"))" 2>&1 < /dev/null &
        server=$!
        (read line <&3; kill -QUIT $server 2>/dev/null) 3<&0 &
        wait $server
        """
      process.arguments = [
        "-c", script, "sh", programs + "/postgres", "-D", data, "-k", socket, "-h", "",
        "-c", "max_connections=150", "-c", "fsync=on", "-c", "shared_buffers=64MB",
        "-c", "max_wal_size=256MB", "-c", "log_statement=none",
      ]
      process.standardInput = input
      try process.run()
      state.withLock { ($0.supervisor, $0.input) = (process, input) }
    }

    /// Sends a signal to the server, and waits until it has ended.
    ///
    /// `SIGQUIT` ends it as a crash does, without a checkpoint. `SIGKILL` leaves the processes of
    /// connections running for a moment.
    func stop(_ signal: Int32) {
      let running = state.withLock { state in
        defer { (state.supervisor, state.input) = (nil, nil) }
        return (state.supervisor, state.input)
      }
      if let pid = processIdentifier { kill(pid, signal) }
      try? running.1?.fileHandleForWriting.close()
      running.0?.waitUntilExit()
    }

    private var processIdentifier: Int32? {
      let text = try? folder.read("data/postmaster.pid")
      return text?.split(separator: "\n").first.flatMap { Int32($0) }
    }

    // MARK: Databases

    /// Returns the connection string of a database.
    func address(of database: String) -> String {
      "host=\(socket) user=postgres dbname=\(database)"
    }

    /// Creates an empty database, and returns its connection string.
    func makeDatabase(_ options: String = "") throws -> String {
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
