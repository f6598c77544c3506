import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFiles
import UndercroftKeyValue
import UndercroftSQLite

#if os(Linux)
  /// Tests that stored values can be read from a read-only disk, such as the root disk of a device.
  @Suite(.enabled(if: ReadOnlyDisk.isAvailable, "mounting takes more rights"))
  struct ReadOnlyPlaceTests {
    enum Store: CaseIterable {
      case settings, files, propertyLists, singleFile, sqlite

      func open(at url: URL) throws -> any StorageBackend {
        switch self {
        case .settings: try JournalledBackend(at: url)
        case .files: try FileBackend(in: url)
        case .propertyLists: try BackendChoice.propertyLists(in: url).open()
        case .singleFile: try SingleFileBackend(at: url)
        case .sqlite: try SQLiteBackend(at: url)
        }
      }
    }

    @Test(arguments: Store.allCases)
    func `a store on a read-only disk can be read, and a write fails with the code accessDenied`(
      store: Store
    ) throws {
      try ReadOnlyDisk.with { disk, makeReadOnly in
        let url = disk.appending(path: "store")
        do {
          let backend = try store.open(at: url)
          try backend.apply([.set("loan/1", Data("Dune".utf8)), .set("loan/2", Data())])
        }
        try makeReadOnly()
        let backend = try store.open(at: url)
        #expect(try backend.read("loan/1") == Data("Dune".utf8))
        #expect(try backend.keys(withPrefix: "loan/") == ["loan/1", "loan/2"])
        let error = #expect(throws: StorageError.self) {
          try backend.apply([.set("loan/3", Data())])
        }
        #expect(error?.code == .accessDenied)
        #expect(try backend.read("loan/3") == nil)
      }
    }

    @Test
    func `a database open on a read-only disk reads values that another machine then writes`()
      throws
    {
      try ReadOnlyDisk.with { disk, makeReadOnly in
        let url = disk.appending(path: "library.sqlite")
        try SQLiteBackend(at: url).apply([.set("loan/1", Data("Dune".utf8))])
        try makeReadOnly()
        let backend = try SQLiteBackend(at: url)
        #expect(try backend.keys(withPrefix: "") == ["loan/1"])
        let before = backend.externalChangeCount()

        // Another machine writes to the disk.
        try ReadOnlyDisk.makeWritable(disk)
        try SQLiteBackend(at: url).apply([.set("loan/2", Data("Emma".utf8))])
        try makeReadOnly()

        #expect(try backend.keys(withPrefix: "") == ["loan/1", "loan/2"])
        #expect(try backend.read("loan/2") == Data("Emma".utf8))
        usleep(10_000)
        #expect(backend.externalChangeCount() != before)
      }
    }

    @Test(arguments: Store.allCases)
    func `opening a missing store on a read-only disk fails with the code accessDenied`(
      store: Store
    )
      throws
    {
      try ReadOnlyDisk.with { disk, makeReadOnly in
        try makeReadOnly()
        let error = #expect(throws: StorageError.self) {
          try store.open(at: disk.appending(path: "store"))
        }
        #expect(error?.code == .accessDenied)
      }
    }
  }

  /// An in-memory disk that can be made read-only.
  enum ReadOnlyDisk {
    static var isAvailable: Bool { (try? with { _, makeReadOnly in try makeReadOnly() }) != nil }

    static func with(_ body: (URL, _ makeReadOnly: () throws -> Void) throws -> Void) throws {
      try withTemporaryDirectory { directory in
        try check(mount("tmpfs", directory.path, "tmpfs", 0, "size=4m"))
        defer { umount2(directory.path, Int32(MNT_DETACH)) }
        try body(directory) {
          let flags = UInt(MS_REMOUNT | MS_RDONLY)
          // A store remains open for writing for some milliseconds after its last use.
          for _ in 0..<10_000 where mount("tmpfs", directory.path, "tmpfs", flags, "size=4m") != 0 {
            guard errno == EBUSY else { break }
            usleep(1_000)
          }
          try check(mount("tmpfs", directory.path, "tmpfs", flags, "size=4m"))
        }
      }
    }

    static func makeWritable(_ disk: URL) throws {
      try check(mount("tmpfs", disk.path, "tmpfs", UInt(MS_REMOUNT), "size=4m"))
    }

    private static func check(_ result: Int32) throws {
      if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM) }
    }
  }
#endif
