import CSQLite
import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftSQLite

#if os(Linux)
  /// System calls of SQLite that fail, for the files of one folder.
  private enum Faults {
    static let isInstalled: Bool = {
      guard let vfs = sqlite3_vfs_find(nil), let set = vfs.pointee.xSetSystemCall else {
        return false
      }
      let open: @convention(c) (UnsafePointer<CChar>?, Int32, mode_t) -> Int32 = {
        path, flags, mode in
        guard let path else { return -1 }
        if flags & O_ACCMODE == O_RDWR, Faults.opening.fails(String(cString: path)) {
          errno = EMFILE
          return -1
        }
        return Glibc.open(path, flags, mode)
      }
      let write: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = {
        descriptor, bytes, count, offset in
        let path = URL(filePath: "/proc/self/fd/\(descriptor)").resolvingSymlinksInPath().path
        if Faults.writing.fails(path) {
          errno = ENOSPC
          return -1
        }
        return pwrite(descriptor, bytes, count, offset)
      }
      let pointers = [
        ("open", unsafeBitCast(open, to: sqlite3_syscall_ptr.self)),
        ("pwrite", unsafeBitCast(write, to: sqlite3_syscall_ptr.self)),
        ("pwrite64", unsafeBitCast(write, to: sqlite3_syscall_ptr.self)),
      ]
      // Not every library has both of the last two.
      return pointers.map { set(vfs, $0, $1) == SQLITE_OK }[0]
    }()

    static let opening = Plan()
    static let writing = Plan()
  }

  /// Which calls fail: those on paths that end so, a number of times.
  private final class Plan: Sendable {
    private let state = Mutex<[String: Int]>([:])

    func fail(_ path: String, times: Int) { state.withLock { $0[path] = times } }

    func fails(_ path: String) -> Bool {
      state.withLock { state in
        guard let (key, count) = state.first(where: { path.hasSuffix($0.key) }), count > 0 else {
          return false
        }
        state[key] = count - 1
        return true
      }
    }
  }

  @Suite struct SystemCallFaultTests {
    @Test func `a database opened while a call failed once can be written`() throws {
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

    @Test func `a database that cannot be opened for writing although it may be is an error`()
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

    @Test func `a full disk is reported as full when shared memory cannot grow`() throws {
      try #require(Faults.isInstalled)
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")
        try Library.fill(try Database(at: url))

        Faults.writing.fail(directory.lastPathComponent + "/library.sqlite-shm", times: 1_000)
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
  }
#endif
