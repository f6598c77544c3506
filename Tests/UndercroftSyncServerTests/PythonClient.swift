#if SyncServer && SyncHTTP
  import Foundation
  import TestSupport
  import UndercroftSync

  /// The synchronisation client in Python with a database of its own.
  struct PythonClient {
    /// Whether the program that runs the client is installed.
    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    /// What the client prints about its database.
    struct Listing: Sendable {
      var books: [ListedBook] = []
      var conflicts = 0
      var queued = -1
      var digest = ""
    }

    let directory: TemporaryDirectory
    let port: Int
    var database = "books.sqlite"

    /// Creates a client that sends its requests with a token to a port of the loopback interface.
    init(port: Int, token: String) throws {
      directory = try TemporaryDirectory()
      self.port = port
      try write(token: token)
    }

    /// Returns a client with the same database that sends its requests to another port.
    func using(port: Int) -> PythonClient { PythonClient(directory, port, database) }

    /// Copies the database, and returns a client that uses the copy.
    func copy(_ name: String) throws -> PythonClient {
      try FileManager.default.copyItem(
        atPath: directory.file(database), toPath: directory.file(name))
      return PythonClient(directory, port, name)
    }

    private init(_ directory: TemporaryDirectory, _ port: Int, _ database: String) {
      self.directory = directory
      self.port = port
      self.database = database
    }

    /// Replaces the token in the file from which the client reads it.
    func write(token: String) throws { try directory.write(token + "\n", to: "token") }

    /// Runs a command of the client to its end.
    @discardableResult
    func run(_ command: String..., server: String? = nil) async throws -> ProgramResult {
      try await Program(at: "/usr/bin/env").run(arguments(command, server))
    }

    /// Starts a command of the client.
    func start(_ command: String...) throws -> RunningProgram {
      try Program(at: "/usr/bin/env").start(arguments(command, nil))
    }

    private func arguments(_ command: [String], _ server: String?) -> [String] {
      let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Python/sync_client.py").path
      return [
        "no_proxy=127.0.0.1", "/usr/bin/python3", "-B", script,
        "--server", server ?? "http://127.0.0.1:\(port)", "--token-file", directory.file("token"),
        "--database", directory.file(database), "--scope", Branch.scope.text,
      ] + command
    }

    /// Returns the contents of the database of the client.
    func list() async throws -> Listing {
      var listing = Listing()
      for line in try await run("list").lines {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (parts.first, parts.last ?? "") {
        case ("book", let text):
          listing.books.append(
            try JSONDecoder().decode(ListedBook.self, from: Data(text.utf8)))
        case ("conflict", _): listing.conflicts += 1
        case ("queue", let number): listing.queued = Int(number) ?? -1
        case ("digest", let digest): listing.digest = digest
        default: continue
        }
      }
      return listing
    }
  }

  /// A row of the table of books.
  struct ListedBook: Codable, Hashable, Sendable {
    var id: String
    var title: String?
    var author: String?
    var copies: Int64?
  }
#endif
