import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of copies of homes with the command `cp`.
@Suite struct CopiedHomeTests {
  @Test func `a copied home has the values and rows of the original, which is not changed`() throws
  {
    try withHome { home, directory in
      let before = try fileStates(in: home.url)

      let answer = try home.run("cp", directory.file("copy"))

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try fileStates(in: home.url) == before)
      #expect(try home.run("diff", directory.file("copy")).status == 0)
      #expect(try directory.names == ["copy", "home"])
      let secret = try run(
        "get", directory.file("copy"), "pin", "--reveal", "--yes", "--key-file",
        directory.file("copy/keys/vault.key"))
      #expect(secret.output.contains("s3cret at noon"), "\(secret.errors)")
    }
  }

  @Test func `a note gives the number and the size of the copied files, unless it is unwanted`()
    throws
  {
    try withHome { home, directory in
      let all = try home.run("cp", directory.file("copy"))
      let store = try run(
        "cp", home.url.appending(path: "records.sqlite").path, directory.file("copy.sqlite"))
      let quiet = try home.run("cp", directory.file("quiet"), "--quiet")

      let notesAll = all.errors.contains(/copied \d+ stores: \d+ files, .+B\n/)
      let notesStore = store.errors.contains(/copied 1 store: 1 file, .+B\n/)
      #expect(notesAll, "\(all.errors)")
      #expect(notesStore, "\(store.errors)")
      #expect(all.output.isEmpty && store.output.isEmpty)
      #expect(quiet.errors.isEmpty)
    }
  }

  @Test func `a copied home opens in the application`() throws {
    try withHome { home, directory in
      #expect(try home.run("cp", directory.file("copy")).status == 0)

      let storage = try Storage(home: URL(filePath: directory.file("copy")))
      let theme = try storage.load(StorageKey("theme", kind: .preference, default: ""))
      let books = try storage.database(for: .record).read { db in
        try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int }
      }

      #expect(theme == "dark")
      #expect(books == 3)
    }
  }

  @Test func `a copy has the permissions of the original`() throws {
    try withHome { home, directory in
      let record = home.url.appending(path: "records.sqlite").path
      let blobs = home.url.appending(path: "blobs").path
      try Self.setMode(0o640, record)
      try Self.setMode(0o500, blobs)
      defer { try? Self.setMode(0o700, blobs) }

      #expect(try home.run("cp", directory.file("copy")).status == 0)

      #expect(try Self.mode(directory.file("copy/records.sqlite")) == 0o640)
      #expect(try Self.mode(directory.file("copy/blobs")) == 0o500)
      #expect(try Self.mode(directory.file("copy/undercroft.json")) == Self.mode(of: home))
      try Self.setMode(0o700, directory.file("copy/blobs"))
    }
  }

  @Test func `a home in folders without write permission is copied`() throws {
    try withHome { home, directory in
      let folders = [home.url.path, home.url.appending(path: "blobs").path]
      for folder in folders { try Self.setMode(0o500, folder) }
      defer { for folder in folders { try? Self.setMode(0o700, folder) } }

      let answer = try home.run("cp", directory.file("copy"))

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try Self.mode(directory.file("copy")) == 0o500)
      #expect(try home.run("diff", directory.file("copy")).status == 0)
      for folder in ["copy", "copy/blobs"] { try Self.setMode(0o700, directory.file(folder)) }
    }
  }

  @Test func `a symbolic link in a home is copied as a link`() throws {
    try withHome { home, directory in
      try directory.write("left outside", to: "note")
      try FileManager.default.createSymbolicLink(
        atPath: home.url.appending(path: "note").path, withDestinationPath: "../note")

      #expect(try home.run("cp", directory.file("copy")).status == 0)

      let target = try FileManager.default.destinationOfSymbolicLink(
        atPath: directory.file("copy/note"))
      #expect(target == "../note")
    }
  }

  @Test func `a symbolic link that changes while its store is copied has its last target`() throws {
    try withHome { home, directory in
      let link = home.url.appending(path: "blobs/a").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "old")
      try createLargeFile(at: home.url.appending(path: "blobs/z").path)
      let copy = try Program.inspector.start(["cp", home.url.path, directory.file("copy")])
      let isLinkCopied = try waitUntil {
        try directory.names.contains { name in
          Self.target(of: directory.file("\(name)/copy/blobs/a")) == "old"
        }
      }

      try FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "new")
      let result = try copy.result()

      #expect(isLinkCopied)
      #expect(result.status == 0, "\(result.errors)")
      #expect(Self.target(of: directory.file("copy/blobs/a")) == "new")
    }
  }

  @Test func `a store that a manifest places outside of its home is not copied, and is named`()
    throws
  {
    try withHome { home, directory in
      let manifest = home.url.appending(path: "undercroft.json")
      let text = try String(contentsOf: manifest, encoding: .utf8)
        .replacing("\"records.sqlite\"", with: "\"../outside.sqlite\"")
      try Data(text.utf8).write(to: manifest)
      try SQLiteShell.run(
        "CREATE TABLE loan(id)", on: URL(filePath: directory.file("outside.sqlite")))

      let answer = try home.run("cp", directory.file("copy"))

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.errors.contains("outside of the home"))
      #expect(try directory.names == ["copy", "home", "outside.sqlite"])
    }
  }

  @Test func `a database that a manifest does not list is copied with its log`() throws {
    try withHome { home, directory in
      let extra = home.url.appending(path: "extra.sqlite")
      let database = try Database(at: extra)
      try database.write { db in
        try db.execute("CREATE TABLE loan(id INTEGER)")
        try db.execute("INSERT INTO loan VALUES (7)")
      }

      #expect(try home.run("cp", directory.file("copy")).status == 0)

      withExtendedLifetime(database) {}
      let copy = URL(filePath: directory.file("copy/extra.sqlite"))
      #expect(!FileManager.default.fileExists(atPath: copy.path + "-wal"))
      #expect(try SQLiteShell.run("SELECT id FROM loan", on: copy) == "7\n")
    }
  }

  // MARK: Helpers

  /// Returns the target of a symbolic link, or `nil` if there is none.
  private static func target(of link: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: link)
  }

  private static func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private static func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private static func mode(of home: SampleHome) throws -> Int? {
    try mode(home.url.appending(path: "undercroft.json").path)
  }
}
