import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftInspection

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
    try storage.withWriter(for: .film) { try $0.write(Data(count: 100_000)) }
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
      try db.fetchAll("SELECT title FROM book") { row in try row[0] as String }
    }
    #expect(titles == ["Dune"])
  }

  @Test
  func `a later Storage loads the values of every data kind that an earlier Storage saved`()
    throws
  {
    try withTemporaryDirectory { home in
      try Self.use(Storage(home: home))
      try Self.check(Storage(home: home))
    }
  }

  @Test func `a closed storage holds no open file, and can be used again`() throws {
    try withTemporaryDirectory { home in
      let storage = try Storage(home: home)
      for _ in 0..<2 {
        try Self.use(storage)

        storage.close()

        // Waits, because a checkpoint in the background may still hold a file.
        #expect(waitUntil { Self.openFiles(under: home).isEmpty })
        try storage.database(for: .record).write { db in try db.execute("DROP TABLE book") }
      }
      try Self.use(storage)
      try Self.check(storage)
    }
  }

  /// Returns the paths of the files below `folder` that this process has open.
  private static func openFiles(under folder: URL) -> [String] {
    #if os(Linux)
      let descriptors = "/proc/self/fd"
      let path = folder.resolvingSymlinksInPath().path(percentEncoded: false)
      return ((try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? [])
        .compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
        }
        .filter { $0.hasPrefix(path) }
    #else
      return []
    #endif
  }

  @Test func `an in-memory storage supports every kind of data without files`() throws {
    let storage = try Storage.inMemory()
    try Self.use(storage)
    try Self.check(storage)

    #expect(storage.routeDescriptions.allSatisfy { $0.address == nil })
  }

  /// Returns a storage with a route for every kind, as an application configures it.
  private static func choosingBackends(_ home: URL, for storage: Storage) throws -> Storage {
    var storage = storage
    try storage.use(.sqlite(at: home.appending(path: "own")), for: .preference, .document)
    try storage.use(
      .vault(at: home.appending(path: "v"), unlockedBy: .passphrase("open sesame")), for: .secret)
    try storage.use(.files(in: home.appending(path: "films")), for: .blob, as: .bytes)
    try storage.use(.sqlite(at: home.appending(path: "rows")), for: .record)
    return storage
  }

  @Test
  func `an in-memory storage uses in-memory backends instead of files at the configured locations`()
    throws
  {
    try withTemporaryDirectory { home in
      let storage = try Self.choosingBackends(home, for: .inMemory())
      try Self.use(storage)
      try Self.check(storage)

      #expect(storage.routeDescriptions.allSatisfy { $0.address == nil })
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
      #expect(try storage.names(of: .document) == ["draft/1"])
      #expect(try Storage.inMemory().load(.draft(1)) == nil)
    }
  }

  @Test func `an in-memory storage refuses an unencrypted backend for secrets`() throws {
    var storage = try Storage.inMemory()
    let location = URL(filePath: "/nowhere/plain")

    let error = #expect(throws: StorageError.self) {
      try storage.use(.files(in: location), for: .secret)
    }

    #expect(error?.code == .notSupported)
  }

  @Test func `an in-memory storage refuses to store two data kinds at one location`() throws {
    var storage = try Storage.inMemory()
    let location = URL(filePath: "/nowhere/plain")
    try storage.use(.files(in: location), for: .document)

    #expect(throws: StorageError.self) { try storage.use(.files(in: location), for: .cache) }
  }

  @Test func `an in-memory storage uses a backend that the application has already opened`() throws
  {
    let own = MemoryBackend()
    var storage = try Storage.inMemory()
    try storage.use(.backend(own), for: .preference)
    try storage.save("dark", for: .theme)

    #expect(try own.keys(withPrefix: "") == ["theme"])
  }

  @Test func `the vault's key is stored in the separate key directory that was passed to Storage`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (home, keys) = (directory.appending(path: "home"), directory.appending(path: "keys"))
      let token = StorageKey<String?>("token", kind: .secret)
      try Storage(home: home, keys: keys).save("abc", for: token)
      #expect(try Storage(home: home, keys: keys).load(token) == "abc")
      #expect(try FileManager.default.contentsOfDirectory(atPath: keys.path) == ["vault.key"])
      #expect(!FileManager.default.fileExists(atPath: home.appending(path: "keys").path))

      let error = #expect(throws: StorageError.self) { try Storage(home: home).load(token) }
      #expect(error?.code == .locked)
    }
  }

  @Test func `creating a Storage throws if the URL of the directory is not a file URL`() throws {
    let url = try #require(URL(string: "https://example.org/"))
    #expect(throws: StorageError.self) { try Storage(home: url) }
  }

  @Test func `a storage writes no file before it is used for the first time`() throws {
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

  @Test
  func `the storage manifest lists each data kind's location and is not rewritten without changes`()
    throws
  {
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

  @Test(arguments: [
    ("\u{e9}", "\u{e9}/\u{301}settings", "\u{301}settings"),
    ("\u{e9}", "e\u{301}/settings", "/library/e\u{301}/settings"),
    ("\u{e9}", "\u{301}/settings", "/library/\u{301}/settings"),
  ])
  func `a manifest path is relative only if the directory path is a byte prefix of the store path`(
    home: String, store: String, path: String
  )
    throws
  {
    let library = URL(filePath: "/library")
    var storage = Storage()
    try storage.use(.settings(at: library.appending(path: store)), for: .preference)
    let home = library.appending(path: home)
    let manifest = StorageManifest(application: nil, home: home, storage.routeDescriptions)
    let route = try #require(manifest.routes.first)

    #expect(Array(route.path.utf8) == Array(path.utf8))
    #expect(route.url(in: home).path == library.appending(path: store).path)
  }

  @Test(arguments: ["/\u{301}settings", "/\u{600}/settings"])
  func `a manifest path that begins with a slash is absolute`(path: String) throws {
    let json = """
      {"version": 1, "routes": [{"kind": "cache", "backend": "settings", "path": "\(path)", \
      "codec": "json", "prefix": "", "isConfidential": false}]}
      """
    let manifest = try StorageManifest(decoding: Data(json.utf8), from: "undercroft.json")

    #expect(manifest.routes.first?.url(in: URL(filePath: "/home")).path == path)
  }

  @Test func `a manifest of a later version is refused and left unchanged`() throws {
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

  @Test(arguments: ["{", "", "[]", #"{"version": 0, "routes": []}"#, #"{"version": 1}"#])
  func `decoding a damaged manifest throws, and the next write replaces the manifest`(
    text: String
  ) throws {
    try withTemporaryDirectory { home in
      let url = home.appending(path: "undercroft.json")
      let error = #expect(throws: StorageError.self) {
        try StorageManifest(decoding: Data(text.utf8), from: url.path)
      }
      #expect(error?.code == .corrupted)

      try Data(text.utf8).write(to: url)
      try Storage(home: home).save("dark", for: .theme)
      #expect(try StorageManifest(decoding: Data(contentsOf: url), from: url.path).version == 1)
    }
  }

  @Test
  func `using a regular file as the storage directory throws an error that names the manifest`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = directory.appending(path: "file")
      try Data().write(to: home)

      let error = #expect(throws: StorageError.self) {
        try Storage(home: home).save("dark", for: .theme)
      }

      #expect(error?.message.contains("cannot write the manifest") == true)
    }
  }

  @Test func `saving a value throws without blocking if a named pipe is in place of the manifest`()
    throws
  {
    try withTemporaryDirectory { home in
      #expect(mkfifo(home.appending(path: "undercroft.json").path, 0o600) == 0)
      let error = #expect(throws: StorageError.self) {
        try Storage(home: home).save("dark", for: .theme)
      }
      #expect(error?.code == .misuse)
    }
  }

  @Test
  func `saving a value removes the partly written temporary file of an interrupted manifest write`()
    throws
  {
    try withTemporaryDirectory { home in
      let left = home.appending(path: ".undercroft-1.tmp")
      try Data("{".utf8).write(to: left)
      try Storage(home: home).save("graph", for: .loans)

      #expect(!FileManager.default.fileExists(atPath: left.path))
    }
  }

  @Test func `a manifest remains complete if several storages write it concurrently`() async throws
  {
    try await withTemporaryDirectory { directory in
      let home = directory.appending(path: "home")
      let url = home.appending(path: "undercroft.json")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            var storage = try Storage(home: home)
            // Two versions of an application disagree on one route.
            let name = "archive-\(number % 2)"
            try storage.use(.singleFile(at: home.appending(path: name)), for: .archive)
            try storage.save("graph", for: .loans)
            let manifest = try StorageManifest(decoding: Data(contentsOf: url), from: url.path)
            #expect(manifest.routes.count == 7)
          }
        }
        try await group.waitForAll()
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: home.path)

      #expect(!names.contains { $0.hasSuffix(".tmp") })
    }
  }
}
