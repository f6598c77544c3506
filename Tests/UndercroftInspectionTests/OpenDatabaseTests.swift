import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftGDBM
import UndercroftInspection

/// Tests of inspecting a database in the process that has it open.
///
/// Closing any descriptor of a file drops all POSIX locks that the process holds on it. Another
/// program that writes afterwards does not detect this process, and deletes the log of the open
/// database.
@Suite struct OpenDatabaseTests {
  private static let inspectors: [(String, Inspector)] = [
    ("standard", Inspector(StoreInspectorFactory.standard)),
    ("standard and GDBM", Inspector([.gdbm] + StoreInspectorFactory.standard)),
    ("without a factory for databases", Inspector([.settings, .singleFile, .vault, .gdbm])),
  ]

  @Test(arguments: inspectors.indices)
  func `if a process inspects a database that it has open, no commit of any program is lost`(
    _ place: Int
  )
    throws
  {
    let (name, inspector) = Self.inspectors[place]
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        try db.execute("INSERT INTO book VALUES ('before')")
      }

      let found = try? inspector.stores(at: url)
      _ = try found?.first?.open().entries()
      try SQLiteShell.run("INSERT INTO book VALUES ('theirs')", on: url)
      for number in 1...5 {
        try database.write { db in try db.execute("INSERT INTO book VALUES (\("ours \(number)"))") }
      }

      let all = "before|theirs|ours 1|ours 2|ours 3|ours 4|ours 5"
      let list = "SELECT group_concat(title, '|') FROM book"
      #expect(found?.map(\.scheme) ?? [] == (place == 2 ? [] : ["sqlite"]), "\(name)")
      #expect(try SQLiteShell.run(list, on: url) == all + "\n", "\(name)")
      #expect(
        try database.read { db in try db.fetchValue(SQL(unchecked: list), as: String.self) } == all)
      try database.close()
      #expect(try SQLiteShell.run(list, on: url) == all + "\n", "\(name)")
    }
  }

  @Test
  func `StoreCandidate.start contains a file's first bytes, and isFolder is true only for folders`()
    throws
  {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "file")
      try Data(repeating: 7, count: 2_000).write(to: file)

      let (whole, folder) = (StoreCandidate(at: file), StoreCandidate(at: directory))
      let absent = StoreCandidate(at: directory.appending(path: "absent"))

      #expect(whole.start == Data(repeating: 7, count: StoreCandidate.startByteCount))
      #expect(!whole.isFolder && folder.isFolder && !absent.isFolder)
      #expect(folder.start.isEmpty && absent.start.isEmpty)
    }
  }

  @Test
  func `StoreCandidate reads a file that the process has open only through the open descriptor`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "file")
      try Data("UNDFILE1".utf8).write(to: url)
      // A write-only descriptor: the bytes must not be read through another descriptor.
      let file = try FileHandle(forWritingTo: url)

      #expect(StoreCandidate(at: url).start.isEmpty)
      try file.close()
      #expect(StoreCandidate(at: url).start == Data("UNDFILE1".utf8))
    }
  }
}
