#if SyncHTTP
  import Foundation

  /// A PostgreSQL server of Debian's packages with its default settings, which listens on a Unix
  /// socket only.
  ///
  /// The benchmarks are a package of their own, which sees only the products of the toolkit, and
  /// not the server of its tests.
  final class PostgresCluster {
    private let programs: String
    private let folder: URL
    private let server: BackgroundProgram

    /// Creates the files of a server, and starts it.
    init() throws {
      programs = try Self.programs()
      // The path of a Unix socket has at most 107 bytes, so the folder is not in that of the
      // benchmark.
      folder = FileManager.default.temporaryDirectory
        .appending(path: "undercroft-pg-\(UUID().uuidString.prefix(8))")
      for path in [folder.path, folder.path + "/data", folder.path + "/socket"] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        if getuid() == 0, let user = getpwnam("nobody") {
          guard chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
            throw BenchmarkFailure("cannot change the owner of \(path)")
          }
        }
      }
      let data = folder.path + "/data"
      try FinishedProgram.output(
        of: "/bin/sh",
        Self.unprivileged + [
          programs + "/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
          "--locale=C.UTF-8",
        ])
      server = try BackgroundProgram(
        "/bin/sh",
        Self.unprivileged + [
          programs + "/postgres", "-D", data, "-k", folder.path + "/socket", "-h", "",
        ], log: folder.appending(path: "log.txt"), signal: SIGQUIT)
      let isReady = MeasuredProgram(path: programs + "/pg_isready")
      _ = try server.wait { try? isReady.seconds(["-h", socket]) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var socket: String { folder.path + "/socket" }

    /// The arguments of a shell before a command, which must not run as root.
    private static var unprivileged: [String] {
      let user = getuid() == 0 ? "setpriv --reuid=nobody --regid=nogroup --clear-groups " : ""
      return ["-c", "exec \(user)\"$@\"", "sh"]
    }

    /// Returns the folder of the newest installed server.
    private static func programs() throws -> String {
      let root = "/usr/lib/postgresql"
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      guard let newest = versions.compactMap({ Int($0) }).max() else {
        throw BenchmarkFailure("PostgreSQL is not installed; install the package postgresql")
      }
      return "\(root)/\(newest)/bin"
    }

    /// Ends all connections and the server.
    func stop() throws { try server.stop(SIGINT) }

    // MARK: Databases

    /// Returns the connection string of a database.
    func address(of database: String) -> String {
      "host=\(socket) user=postgres dbname=\(database)"
    }

    /// Creates a database, which is empty or the copy of another one without connections.
    func createDatabase(_ name: String, from template: String = "template1") throws {
      try FinishedProgram.output(
        of: programs + "/createdb", ["-h", socket, "-U", "postgres", "-T", template, name])
    }

    func removeDatabase(_ name: String) throws {
      try FinishedProgram.output(
        of: programs + "/dropdb", ["-h", socket, "-U", "postgres", name])
    }

    /// Returns the text of the only value that a query returns.
    func value(_ query: String, in database: String) throws -> String {
      try FinishedProgram.output(
        of: programs + "/psql",
        ["-h", socket, "-U", "postgres", "-X", "-A", "-t", "-q", "-c", query, database])
    }
  }
#endif
