import CSQLite
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

#if os(Linux)
  /// A switch that makes system calls of SQLite fail for the files of one folder.
  private enum Faults {
    static let isInstalled: Bool = {
      guard let vfs = sqlite3_vfs_find(nil), let set = vfs.pointee.xSetSystemCall else {
        return false
      }
      let open: @convention(c) (UnsafePointer<CChar>?, Int32, mode_t) -> Int32 = {
        path, flags, mode in
        guard let path else { return -1 }
        if flags & O_ACCMODE == O_RDWR, let error = Faults.opening.failure(String(cString: path)) {
          errno = error
          return -1
        }
        return Glibc.open(path, flags, mode)
      }
      let write: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = {
        descriptor, bytes, count, offset in
        if let error = Faults.writing.failure(Faults.path(descriptor)) {
          errno = error
          return -1
        }
        return pwrite(descriptor, bytes, count, offset)
      }
      let read: @convention(c) (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int = {
        descriptor, bytes, count, offset in
        if let error = Faults.reading.failure(Faults.path(descriptor)) {
          errno = error
          return -1
        }
        return pread(descriptor, bytes, count, offset)
      }
      let pointers = [
        ("open", unsafeBitCast(open, to: sqlite3_syscall_ptr.self)),
        ("pwrite", unsafeBitCast(write, to: sqlite3_syscall_ptr.self)),
        ("pwrite64", unsafeBitCast(write, to: sqlite3_syscall_ptr.self)),
        ("pread", unsafeBitCast(read, to: sqlite3_syscall_ptr.self)),
        ("pread64", unsafeBitCast(read, to: sqlite3_syscall_ptr.self)),
      ]
      // Not every library has both the 32-bit and the 64-bit variant of a call.
      return pointers.map { set(vfs, $0, $1) == SQLITE_OK }[0]
    }()

    private static func path(_ descriptor: Int32) -> String {
      URL(filePath: "/proc/self/fd/\(descriptor)").resolvingSymlinksInPath().path
    }

    static let opening = Plan()
    static let writing = Plan()
    static let reading = Plan()
  }

  /// A plan by which system calls on paths with a given suffix fail a number of times.
  private final class Plan: Sendable {
    private struct Failure {
      var count: Int
      let error: Int32
    }

    private let state = Mutex<[String: Failure]>([:])

    func fail(_ path: String, times: Int, with error: Int32 = EMFILE) {
      state.withLock { $0[path] = Failure(count: times, error: error) }
    }

    /// Returns the error number that a call fails with, or `nil` if the call succeeds.
    func failure(_ path: String) -> Int32? {
      state.withLock { state in
        guard let (key, failure) = state.first(where: { path.hasSuffix($0.key) }),
          failure.count > 0
        else { return nil }
        state[key]?.count -= 1
        return failure.error
      }
    }
  }

  @Suite struct SystemCallFaultTests {
    @Test func `a database can be written even if the first system call that opens its file fails`()
      throws
    {
      try #require(Faults.isInstalled)
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")
        try Library.fill(try Database(at: url))

        Faults.opening.fail(directory.lastPathComponent + "/library.sqlite", times: 1)
        let database = try Database(at: url)

        #expect(!database.isReadOnly)
        try database.write { db in try Library.add(1, in: db) }
        #expect(try Library.count(database) == 4)
      }
    }

    @Test
    func `opening a database throws if a file with write permission cannot be opened for writing`()
      throws
    {
      try #require(Faults.isInstalled)
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")
        try Library.fill(try Database(at: url))

        Faults.opening.fail(directory.lastPathComponent + "/library.sqlite", times: 1_000)
        let error = #expect(throws: StorageError.self) { _ = try Database(at: url) }
        Faults.opening.fail(directory.lastPathComponent + "/library.sqlite", times: 0)

        #expect(error?.code == .unavailable)
        #expect(error?.message.contains(url.path) == true)
        #expect(try Library.count(try Database(at: url)) == 3)
      }
    }

    @Test(arguments: ["-journal", "-wal", "-shm"])
    func `if a file beside the database cannot be created, the error has the code io`(
      suffix: String
    ) throws {
      try #require(Faults.isInstalled)
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")

        // Only the first call fails: SQLite then opens the file for reading, and it is missing.
        Faults.opening.fail(
          directory.lastPathComponent + "/library.sqlite" + suffix, times: 1, with: ENOSPC)
        let error = #expect(throws: StorageError.self) {
          try Library.fill(try Database(at: url))
        }

        #expect(error?.code == .io, "\(error as Any)")
        #expect(error?.message.contains("beside \"\(url.path)\"") == true, "\(error as Any)")
        #expect(error?.suggestion?.contains("free disk space") == true)
        try Library.fill(try Database(at: url))
        #expect(try Library.count(try Database(at: url)) == 3)
      }
    }

    @Test func `if the log can be opened only for reading, a write throws an I/O error`()
      throws
    {
      try #require(Faults.isInstalled)
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")
        let other = try Database(at: url)
        try Library.fill(other)

        Faults.opening.fail(
          directory.lastPathComponent + "/library.sqlite-wal", times: 1, with: ENOSPC)
        let database = try Database(at: url)
        let error = #expect(throws: StorageError.self) {
          try database.write { db in try Library.add(1, in: db) }
        }

        #expect(error?.code == .io, "\(error as Any)")
        #expect(error?.message.contains("only for reading") == true, "\(error as Any)")
        try other.write { db in try Library.add(1, in: db) }
        #expect(try Library.count(other) == 4)
      }
    }

    @Test func `a database is copied even if the first system call that opens the copy fails`()
      throws
    {
      try #require(Faults.isInstalled)
      let copying = try #require(StoreInspectorFactory.sqlite.copying.copy)
      try withTemporaryDirectory { directory in
        let (url, copy) = (
          directory.appending(path: "library.sqlite"), directory.appending(path: "copy.sqlite")
        )
        try Library.fill(try Database(at: url))

        Faults.opening.fail(
          directory.lastPathComponent + "/copy.sqlite", times: 1, with: ENOSPC)
        try copying(url, copy)

        #expect(try Library.count(try Database(at: copy)) == 3)
      }
    }

    @Test func `if shared memory cannot grow on a full disk, the error has the code full`() throws {
      try #require(Faults.isInstalled)
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")
        try Library.fill(try Database(at: url))

        Faults.writing.fail(
          directory.lastPathComponent + "/library.sqlite-shm", times: 1_000, with: ENOSPC)
        let error = #expect(throws: StorageError.self) {
          try Library.fill(try Database(at: url))
        }
        Faults.writing.fail(directory.lastPathComponent + "/library.sqlite-shm", times: 0)

        #expect(error?.code == .full, "\(error as Any)")
        let cause = error?.underlying as? SQLiteError
        #expect(cause?.systemErrorNumber == ENOSPC)
        #expect(try Library.count(try Database(at: url)) == 3)
      }
    }

    @Test func `if the quota of the disk prevents a commit, the error has the code full`()
      throws
    {
      try #require(Faults.isInstalled)
      try withTemporaryDirectory { directory in
        let database = try Database(at: directory.appending(path: "library.sqlite"))
        try Library.fill(database)
        let log = directory.lastPathComponent + "/library.sqlite-wal"

        Faults.writing.fail(log, times: 1_000, with: EDQUOT)
        let error = #expect(throws: StorageError.self) {
          try database.write { db in try Library.add(1, in: db) }
        }
        Faults.writing.fail(log, times: 0)

        #expect(error?.code == .full, "\(error as Any)")
        #expect((error?.underlying as? SQLiteError)?.systemErrorNumber == EDQUOT)
        try database.write { db in try Library.add(1, in: db) }
        #expect(try Library.count(database) == 4)
      }
    }

    @Test func `a failed page read throws an I/O error and is not reported as corruption`() throws {
      try #require(Faults.isInstalled)
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")
        try Library.fill(try Database(at: url), books: 1_000)
        let database = try Database(at: url)
        _ = try database.fetchValue("SELECT title FROM book WHERE id = 1", as: String.self)
        let path = directory.lastPathComponent + "/library.sqlite"

        Faults.reading.fail(path, times: 1_000, with: EIO)
        let refusedRead = #expect(throws: StorageError.self) { _ = try Library.count(database) }
        let refusedCheck = #expect(throws: StorageError.self) { try database.integrityCheck() }
        Faults.reading.fail(path, times: 0)

        #expect(refusedRead?.code == .io, "\(refusedRead as Any)")
        #expect((refusedRead?.underlying as? SQLiteError)?.systemErrorNumber == EIO)
        #expect(refusedRead?.message.contains("errno \(EIO)") == true, "\(refusedRead as Any)")
        #expect(refusedCheck?.code == .io, "\(refusedCheck as Any)")
        #expect(refusedCheck?.message.contains(url.path) == true, "\(refusedCheck as Any)")
        #expect(refusedCheck?.message.contains("errno \(EIO)") == true, "\(refusedCheck as Any)")
        #expect(try Library.count(database) == 1_000)
        #expect(try database.integrityCheck() == [])
      }
    }

    @Test
    func `if a backup cannot read the source or the file to replace, the error names that file`()
      throws
    {
      try #require(Faults.isInstalled)
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")
        let copy = directory.appending(path: "copy.sqlite")
        let database = try Database(at: url)
        try Library.fill(database, books: 1_000)
        try database.backUp(to: copy)
        try database.checkpoint(.truncate)

        Faults.reading.fail(directory.lastPathComponent + "/copy.sqlite", times: 1_000, with: EIO)
        let ofEarlier = #expect(throws: StorageError.self) { try database.backUp(to: copy) }
        Faults.reading.fail(directory.lastPathComponent + "/copy.sqlite", times: 0)
        let reader = try Database(at: url)
        _ = try Library.count(reader)
        Faults.reading.fail(
          directory.lastPathComponent + "/library.sqlite", times: 1_000, with: EIO)
        let ofSource = #expect(throws: StorageError.self) {
          try reader.backUp(to: directory.appending(path: "other.sqlite"))
        }
        Faults.reading.fail(directory.lastPathComponent + "/library.sqlite", times: 0)

        #expect(ofEarlier?.code == .io, "\(ofEarlier as Any)")
        #expect(ofEarlier?.message.contains(copy.path) == true, "\(ofEarlier as Any)")
        #expect(ofSource?.code == .io, "\(ofSource as Any)")
        #expect(ofSource?.message.contains(url.path) == true, "\(ofSource as Any)")
      }
    }

    @Test func `if overwriting a database with another fails, the error names both databases`()
      throws
    {
      try #require(Faults.isInstalled)
      try withTemporaryDirectory { directory in
        let (url, other) = (
          directory.appending(path: "library.sqlite"), directory.appending(path: "other.sqlite")
        )
        let (database, source) = (try Database(at: url), try Database(at: other))
        try Library.fill(database)
        try Library.fill(source, books: 1_000)

        Faults.writing.fail(
          directory.lastPathComponent + "/library.sqlite-wal", times: 1_000, with: EIO)
        let error = #expect(throws: StorageError.self) { try database.overwrite(with: source) }
        Faults.writing.fail(directory.lastPathComponent + "/library.sqlite-wal", times: 0)

        #expect(error?.code == .io, "\(error as Any)")
        #expect(error?.message.contains(url.path) == true, "\(error as Any)")
        #expect(error?.message.contains(other.path) == true, "\(error as Any)")
        #expect(error?.message.contains("errno \(EIO)") == true, "\(error as Any)")
      }
    }

    @Test func `a damaged page is reported as corruption even after an earlier failed page read`()
      throws
    {
      try #require(Faults.isInstalled)
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")
        try Library.fill(try Database(at: url), books: 1_000)
        let path = directory.lastPathComponent + "/library.sqlite"
        let database = try Database(at: url)
        _ = try database.fetchValue("SELECT title FROM book WHERE id = 1", as: String.self)
        Faults.reading.fail(path, times: 1, with: EIO)
        #expect(throws: StorageError.self) { _ = try Library.count(database) }
        try database.close()

        let file = try FileHandle(forWritingTo: url)
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0xff, count: 400_000))
        try file.close()
        let damaged = try Database(at: url)
        let error = #expect(throws: StorageError.self) { _ = try Library.count(damaged) }

        #expect(error?.code == .corrupted, "\(error as Any)")
        #expect(try damaged.integrityCheck() != [])
      }
    }
  }
#endif
