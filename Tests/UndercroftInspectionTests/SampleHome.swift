import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// The home directory of a lending library, with preferences, covers, a secret and a database.
struct SampleHome {
  let url: URL

  init(at url: URL) throws {
    self.url = url
    let storage = try Storage(home: url)
    try storage.save("dark", for: StorageKey("theme", kind: .preference, default: ""))
    try storage.save(
      "Lending at noon", for: StorageKey("window.title", kind: .preference, default: ""))
    try storage.save(
      Data(count: 5_000), for: StorageKey("cover/emma", kind: .blob, default: Data()))
    try storage.save(Data(count: 20), for: StorageKey("cover/dune", kind: .blob, default: Data()))
    try storage.save("s3cret at noon", for: StorageKey("pin", kind: .secret, default: ""))
    try storage.database(for: .record).write { db in
      try db.executeScript(
        """
        CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book(
          id TEXT PRIMARY KEY NOT NULL, title TEXT, author INTEGER REFERENCES author(id));
        INSERT INTO author VALUES (1, 'Jane Austen'), (2, 'Frank Herbert');
        INSERT INTO book VALUES ('b1', 'Emma at noon', 1), ('b2', 'Dune', 2), ('b3', '=1+1', NULL);
        """)
    }
  }

  /// Runs the inspector with a command and its arguments after the path of the home.
  func run(_ command: String, _ arguments: String...) throws -> (
    output: String, errors: String, status: Int
  ) {
    let result = try UndercroftInspectionTests.run([command, url.path] + arguments)
    return (result.output, result.errors, Int(result.status))
  }

  /// Runs the inspector with `--format json`, and returns the rows of its output.
  func rows(_ command: String, _ arguments: String...) throws -> [[String: Any]] {
    let result = try UndercroftInspectionTests.run(
      [command, url.path] + arguments + ["--format", "json"])
    return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
      ?? []
  }
}

extension SampleHome {
  /// Saves a text as a preference.
  func save(_ text: String, as name: String) throws {
    try Storage(home: url).save(text, for: StorageKey(name, kind: .preference, default: ""))
  }
}

extension SampleHome {
  /// Returns the path of the store of a kind, relative to the home.
  func fileName(of kind: String) throws -> String {
    let row = try rows("ls").first { $0["kind"] as? String == kind }
    let path = row?["path"] as? String ?? ""
    return String(path.dropFirst(url.path.count + 1))
  }

  /// Writes a rollback journal beside the database, so that commands read a private copy.
  ///
  /// A file with a rollback journal is copied, because the journal must be rolled back.
  func addRollbackJournal() throws {
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: url.path)
        .first { $0.hasSuffix(".sqlite") })
    // The first byte of a journal without changes is 0.
    try Data([0xd9]).write(to: url.appending(path: file + "-journal"))
  }

  /// Replaces the store of a kind by a symbolic link to itself, which not even the superuser can
  /// open, and returns the path of the store.
  @discardableResult
  func makeUnreadable(_ kind: String) throws -> String {
    let path = url.appending(path: try fileName(of: kind)).path
    try FileManager.default.removeItem(atPath: path)
    #expect(symlink(path, path) == 0)
    return path
  }
}
