import Foundation
import Undercroft
import UndercroftGDBM

/// A maker of one store of each format.
struct SampleStoreMaker {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "undercroft-samples-\(UUID().uuidString)", directoryHint: .isDirectory)

  func stores() throws -> [SampleStore] {
    defer { try? FileManager.default.removeItem(at: folder) }
    let own = try [
      keyed("settings") { .settings(at: $0) }, keyed("single-file") { .singleFile(at: $0) },
      keyed("files") { .files(in: $0) }, keyed("property-lists") { .propertyLists(in: $0) },
      keyed("gdbm") { .gdbm(at: $0) }, keyed("sqlite-keyed") { .sqlite(at: $0) },
      keyed("settings-snapshot", checkpoints: true) { .settings(at: $0) },
      keyed("gdbm-snapshot", checkpoints: true) { .gdbm(at: $0) },
      vault(), database("sqlite"), database("sqlite-log", leavesLog: true), home(),
    ]
    return try own + foreignDatabases() + foreignGDBMFiles() + documents()
  }

  /// Creates a folder for the files of a sample.
  func newFolder(_ name: String) throws -> URL {
    let place = folder.appending(path: name)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    return place
  }

  private func keyed(
    _ name: String, checkpoints: Bool = false, _ choice: (URL) -> BackendChoice
  ) throws -> SampleStore {
    let place = try newFolder(name)
    do {
      let backend = try choice(place.appending(path: "store")).open()
      try backend.apply(
        (1...40).map { .set("book/\($0)", Data(#"{"title":"Dune","number":\#($0)}"#.utf8)) })
      if checkpoints { try (backend as? any CheckpointingBackend)?.checkpoint() }
      try backend.apply([.set("cover", Data(repeating: 7, count: 3_000)), .remove("book/2")])
      try backend.apply([.set("list", try Self.list(.binary)), .set("due", Self.list(.xml))])
    }
    return SampleStore(name: name, path: "store", files: try Self.files(in: place))
  }

  private func vault() throws -> SampleStore {
    var sample = try keyed("vault") { url in
      .vault(at: url, unlockedBy: .keyFile(url.deletingLastPathComponent().appending(path: "key")))
    }
    sample.keyFile = "key"
    return sample
  }

  private func database(
    _ name: String, leavesLog: Bool = false
  ) throws -> SampleStore {
    let place = try newFolder(name)
    let database = try Database(at: place.appending(path: "store"))
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, cover BLOB, price REAL);
        CREATE TABLE loan(reader TEXT PRIMARY KEY, book INTEGER REFERENCES book) WITHOUT ROWID;
        CREATE INDEX loan_book ON loan(book);
        CREATE VIEW lent AS SELECT title FROM book JOIN loan ON loan.book = book.id;
        CREATE VIRTUAL TABLE search USING fts5(title);
        """)
      for number in 1...60 {
        try db.execute(
          """
          INSERT INTO book VALUES (
            \(number), \("Dune \(number)"), \(Data(repeating: 3, count: number * 50)), 1.5)
          """)
        try db.execute("INSERT INTO loan VALUES (\("reader \(number)"), \(number))")
        try db.execute("INSERT INTO search VALUES (\("Dune \(number)"))")
      }
    }
    if !leavesLog { try database.checkpoint(.truncate) }
    // The files are read while the database is open, as a killed process leaves them.
    let files = try Self.files(in: place)
    try database.close()
    return SampleStore(name: name, path: "store", files: files)
  }

  private func home() throws -> SampleStore {
    let place = folder.appending(path: "home")
    let storage = try Storage(home: place)
    try storage.save("dark", for: StorageKey("theme", kind: .preference, default: ""))
    try storage.save(Data(count: 2_000), for: StorageKey("cover", kind: .blob, default: Data()))
    try storage.database(for: .record).write { db in
      try db.execute("CREATE TABLE book(title TEXT)")
    }
    return SampleStore(name: "home", path: ".", files: try Self.files(in: place))
  }

  static func files(in folder: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
      let url = folder.appending(path: name)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
        !isFolder.boolValue, !name.hasSuffix("-shm")
      else { continue }
      files[name] = try Data(contentsOf: url)
    }
    return files
  }
}
