import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftGDBM
import UndercroftInspection

@Suite struct InspectorTests {
  private static let inspector = Inspector(StoreInspectorFactory.standard + [.gdbm])

  @Test func `a store is recognized by its content, regardless of its file name`() throws {
    try withTemporaryDirectory { directory in
      let choices: [(String, BackendChoice)] = [
        ("settings", .settings(at: directory.appending(path: "a.sqlite"))),
        ("gdbm", .gdbm(at: directory.appending(path: "b.txt"))),
        ("singleFile", .singleFile(at: directory.appending(path: "c"))),
        ("files", .files(in: directory.appending(path: "d.plist"))),
        ("propertyLists", .propertyLists(in: directory.appending(path: "e"))),
        ("sqlite", .sqlite(at: directory.appending(path: "f.gdbm"))),
      ]
      for (scheme, choice) in choices {
        let backend = try choice.open()
        try backend.apply([.set("loan/1", Data("Dune".utf8))])
        let url = try #require(choice.url)
        let found = try Self.inspector.stores(at: url)

        #expect(found.map(\.scheme) == [scheme])
        let opened = try #require(try found.first?.open())
        #expect(try opened.entries().map(\.name) == ["loan/1"])
        #expect(try opened.bytes(of: "loan/1") == Data("Dune".utf8))
        #expect(backend.name == scheme)
      }
    }
  }

  @Test func `the inspector lists each data kind separately even if several kinds share a store`()
    throws
  {
    try withTemporaryDirectory { home in
      var storage = try Storage(home: home)
      try storage.use(.settings(at: home.appending(path: "all")), for: .preference, .document)
      try storage.save("dark", for: StorageKey("theme", kind: .preference, default: ""))
      try storage.save("To whom", for: StorageKey("letter", kind: .document, default: ""))
      let stores = try Self.inspector.stores(at: home).filter(\.exists)
      var names: [String: [String]] = [:]

      for store in stores { names[store.kind ?? ""] = try store.open().entries().map(\.name) }
      #expect(names == ["document": ["letter"], "preference": ["theme"]])
    }
  }

  @Test func `the error about rows of a store without tables suggests to read values`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "desk")
      let backend = try BackendChoice.settings(at: url).open()
      try backend.apply([.set("theme", Data("dark".utf8))])
      let store = try #require(try Self.inspector.stores(at: url).first)
      let opened = try store.open()

      let error = #expect(throws: StorageError.self) { try opened.rows(of: "book", limit: 1) }

      #expect(error?.code == .notSupported)
      #expect(error?.suggestion == "read the values of the store by their names")
    }
  }

  @Test func `an I/O error of recognising a folder is thrown`() throws {
    try withTemporaryDirectory { directory in
      let failing = StoreInspectorFactory(
        scheme: "shelf",
        recognises: { (_) throws(StorageError) -> Bool in
          throw StorageError(.io, "cannot read the shelf")
        },
        open: { (url, credentials) throws(StorageError) in
          try StoreInspectorFactory.settings.open(url, credentials)
        })

      let error = #expect(throws: StorageError.self) {
        try Inspector([failing]).stores(at: directory)
      }

      #expect(error?.code == .io)
      #expect(error?.message == "cannot read the shelf")
      #expect(!failing.recognises(directory))
    }
  }

  @Test
  func `inspecting a missing path, an empty folder or a file of unknown format throws an error`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "list.txt")
      for location in [url, directory] {
        #expect(throws: StorageError.self) { try Self.inspector.stores(at: location) }
      }

      try Data("a shopping list".utf8).write(to: url)
      let error = #expect(throws: StorageError.self) { try Self.inspector.stores(at: url) }
      #expect(error?.message.contains("gdbm") == true)
    }
  }

  @Test func `inspecting a path that the system cannot resolve throws the error of the system`()
    throws
  {
    try withTemporaryDirectory { home in
      let circle = home.appending(path: "circle").path
      #expect(symlink(circle, circle) == 0)
      let long = String(repeating: "x", count: 300)

      for (path, code, reason) in [
        ("circle/settings", StorageError.Code.accessDenied, "symbolic links"),
        (long, .io, "too long"), ("list.txt/settings", .unavailable, "does not exist"),
      ] {
        try Data("a shopping list".utf8).write(to: home.appending(path: "list.txt"))
        let url = home.appending(path: path)
        let error = #expect(throws: StorageError.self) { try Self.inspector.stores(at: url) }

        #expect(error?.code == code)
        #expect(error?.message.contains(reason) == true, "\(error as Any)")
      }
    }
  }

  @Test
  func `inspecting a path with a NUL throws even if a store exists at the part before the NUL`()
    throws
  {
    try withTemporaryDirectory { home in
      let url = home.appending(path: "settings")
      var storage = Storage()
      try storage.use(.settings(at: url), for: .preference)
      try storage.save("dark", for: StorageKey("theme", kind: .preference, default: ""))
      #expect(try Self.inspector.stores(at: url).count == 1)

      let error = #expect(throws: StorageError.self) {
        try Self.inspector.stores(at: home.appending(path: "settings\0.old"))
      }

      #expect(error?.code == .unavailable)
    }
  }

  @Test
  func `exists is false for a store whose path is missing, and true for a circular symbolic link`()
    throws
  {
    try withTemporaryDirectory { home in
      var storage = try Storage(home: home)
      try storage.use(.settings(at: home.appending(path: "shelf/settings")), for: .preference)
      try storage.save("dark", for: StorageKey("theme", kind: .preference, default: ""))
      let shelf = home.appending(path: "shelf").path
      let store = try #require(
        try Self.inspector.stores(at: home).first { $0.kind == "preference" })
      #expect(store.exists)

      #expect(rename(shelf, shelf + ".old") == 0)
      #expect(!store.exists)

      #expect(symlink(shelf, shelf) == 0)
      #expect(store.exists)
      let error = #expect(throws: StorageError.self) { try store.open() }
      #expect(error?.code == .accessDenied)
      #expect(error?.message.contains("symbolic links") == true, "\(error as Any)")
    }
  }

  #if os(Linux)
    @Test
    func `if a manifest cannot be read, the inspector throws an error that names the manifest`()
      throws
    {
      try withTemporaryDirectory { home in
        let manifest = home.appending(path: StorageManifest.fileName)
        // Reading the first page of the memory of a process fails with `EIO`.
        #expect(symlink("/proc/self/mem", manifest.path) == 0)

        let error = #expect(throws: StorageError.self) { try Self.inspector.stores(at: home) }

        #expect(error?.code == .io)
        #expect(error?.message.contains("check the disk") == true, "\(error as Any)")
        #expect(error?.message.contains(manifest.path) == true)
      }
    }
  #endif

  @Test func `the inspector escapes control characters and shows binary values in hexadecimal`() {
    #expect(ValueText.readable(Data("a\u{1b}[31mb\n\tc".utf8)).contains("\u{1b}") == false)
    #expect(ValueText.safe("x\u{202e}y\u{7}\r") == "x\\u{202e}y\\u{7}\\u{d}")
    #expect(ValueText.readable(Data("Bücher 📚".utf8)) == "Bücher 📚")
    #expect(ValueText.readable(Data([0, 255, 1])).hasPrefix("3 bytes, not text\n00 ff 01"))
    #expect(ValueText.readable(Data(count: 1_000)).hasSuffix("… 744 more"))
  }
}
