import Foundation
import Testing
import Undercroft

extension StorageKey<String> {
  fileprivate static var theme: Self { Self("theme", kind: .preference, default: "light") }
}
extension StorageKey<String?> {
  fileprivate static var session: Self { Self("session", kind: .secret) }
  fileprivate static func draft(_ number: Int) -> Self { Self("draft/\(number)", kind: .document) }
  fileprivate static var loans: Self { Self("loans", kind: .archive) }
  fileprivate static var covers: Self { Self("covers", kind: .cache) }
}
extension StorageKey<Data?> {
  fileprivate static var film: Self { Self("film", kind: .blob, as: .bytes) }
}

@Suite struct StorageDefaultsTests {
  private static func use(_ storage: Storage) throws {
    try storage.save("dark", for: .theme)
    try storage.save("s3cret", for: .session)
    try storage.save("To whom it may concern", for: .draft(1))
    try storage.save("graph", for: .loans)
    try storage.save("thumbnails", for: .covers)
    try storage.writer(for: .film) { try $0.write(Data(count: 100_000)) }
    try storage.database(for: .record).write { db in
      try db.execute("CREATE TABLE IF NOT EXISTS book(title TEXT)")
      try db.execute("INSERT INTO book(title) VALUES ('Dune')")
    }
  }

  private static func check(_ storage: Storage) throws {
    #expect(storage[.theme] == "dark")
    #expect(try storage.load(.session) == "s3cret")
    #expect(try storage.load(.draft(1)) == "To whom it may concern")
    #expect(try storage.load(.loans) == "graph")
    #expect(try storage.load(.covers) == "thumbnails")
    let titles = try storage.database(for: .record).read { db in
      try db.query("SELECT title FROM book") { row in try row[0] as String }
    }
    #expect(titles == ["Dune"])
  }

  @Test func `a home keeps every kind, and finds it again`() throws {
    try withTemporaryDirectory { home in
      try Self.use(Storage(home: home))
      try Self.check(Storage(home: home))
    }
  }

  @Test func `the same code runs in memory`() throws {
    let storage = try Storage.inMemory()
    try Self.use(storage)
    try Self.check(storage)
    #expect(storage.routeDescriptions.allSatisfy { $0.address == nil })
  }

  @Test func `nothing is written before the first use`() throws {
    try withTemporaryDirectory { directory in
      let home = directory.appending(path: "home")
      let storage = try Storage(home: home)
      #expect(!FileManager.default.fileExists(atPath: home.path))
      try storage.save("dark", for: .theme)
      #expect(
        Set(try FileManager.default.contentsOfDirectory(atPath: home.path)) == [
          "undercroft.json", "settings", "settings.journal", "settings.lock",
        ])
    }
  }

  @Test func `the manifest says where every kind is, and stays when nothing changes`() throws {
    try withTemporaryDirectory { home in
      var storage = try Storage(home: home)
      try storage.use(
        .files(in: home.deletingLastPathComponent().appending(path: "elsewhere-\(UUID())")),
        for: .document, as: .propertyList)
      try storage.save("dark", for: .theme)
      let url = home.appending(path: "undercroft.json")
      let bytes = try Data(contentsOf: url)
      let manifest = try StorageManifest(decoding: bytes, from: url.path)
      #expect(manifest.routes.map(\.kind) == manifest.routes.map(\.kind).sorted())
      #expect(manifest.routes.count == 7)
      let preference = try #require(manifest.routes.first { $0.kind == "preference" })
      #expect(preference.backend == "settings")
      #expect(preference.path == "settings")
      let document = try #require(manifest.routes.first { $0.kind == "document" })
      #expect(document.path.hasPrefix("/"))
      #expect(document.codec == "plist-xml")
      var before = stat()
      #expect(stat(url.path, &before) == 0)
      try storage.save("graph", for: .loans)
      var after = stat()
      #expect(stat(url.path, &after) == 0)
      #expect(before.st_ino == after.st_ino)
    }
  }

  @Test func `a later manifest is left as it is, and said`() throws {
    try withTemporaryDirectory { home in
      let url = home.appending(path: "undercroft.json")
      let later = Data(#"{"version": 2, "rooms": []}"#.utf8)
      try later.write(to: url)
      let storage = try Storage(home: home)
      let error = #expect(throws: StorageError.self) { try storage.save("dark", for: .theme) }
      #expect(error?.code == .notSupported)
      #expect(try Data(contentsOf: url) == later)
    }
  }

  @Test func `a damaged manifest is written anew`() throws {
    try withTemporaryDirectory { home in
      let url = home.appending(path: "undercroft.json")
      try Data("{".utf8).write(to: url)
      try Storage(home: home).save("dark", for: .theme)
      #expect(try StorageManifest(decoding: Data(contentsOf: url), from: url.path).version == 1)
    }
  }

  @Test func `a home that cannot be written is told`() throws {
    try withTemporaryDirectory { directory in
      let home = directory.appending(path: "file")
      try Data().write(to: home)
      #expect(throws: StorageError.self) { try Storage(home: home).save("dark", for: .theme) }
    }
  }
}
