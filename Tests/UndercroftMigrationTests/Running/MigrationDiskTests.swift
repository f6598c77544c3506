import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

#if os(Linux)
  /// Tests of migrations on full and read-only file systems.
  @Suite(.enabled(if: OwnDisk.isAvailable, "mounting takes more rights"))
  struct MigrationDiskTests {
    /// Creates a file at version 1 with about 300 kilobytes of books.
    private func makeFile(at url: URL) throws {
      try LibraryVersions.makeFile(at: url, version: 1)
      let database = try Database(at: url)
      try database.execute(
        """
        INSERT INTO book (title, author) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        SELECT hex(zeroblob(400)) || i, 'Author ' || i FROM n
        """)
      try database.checkpoint(.truncate)
      try database.close()
    }

    private func requireOld(_ url: URL, _ version: String = "1") throws {
      let database = try Database(at: url)
      #expect(try LibraryVersions.migrator.version(of: database) == version)
      #expect(try database.integrityCheck() == [])
      #expect(
        try LibraryVersions.books(in: database, version: Int(version) ?? 1).count == 302)
    }

    @Test
    func `a migration on a full disk changes nothing and throws an error that names takesSnapshot`()
      throws
    {
      try OwnDisk.with(kilobytes: 6_000) { disk, _ in
        let url = disk.appending(path: "library.sqlite")
        try makeFile(at: url)
        try OwnDisk.fill(disk, leaving: 200)
        var migrator = LibraryVersions.migrator
        migrator.fallback = { _ in .recreate }

        let error = #expect(throws: StorageError.self) {
          try Database(at: url, .init(migrator: migrator))
        }

        #expect(error?.code == .full)
        #expect(error?.message.contains("takesSnapshot") == true, "\(error?.message ?? "")")
        let names = try FileManager.default.contentsOfDirectory(atPath: disk.path())
        #expect(names.filter { $0.contains("tmp") || $0.contains("snapshot") } == [])
        try requireOld(url)
      }
    }

    @Test(
      .heavy,
      arguments: [MigrationFallback.fail, .restoreSnapshot, .openReadOnly, .recreate],
      [400, 800, 1_300])
    func `a migration that fills the disk leaves the file at a version before the failed step`(
      fallback: MigrationFallback, free: Int
    ) throws {
      try OwnDisk.with(kilobytes: 6_000) { disk, _ in
        let url = disk.appending(path: "library.sqlite")
        try makeFile(at: url)
        try OwnDisk.fill(disk, leaving: free)
        var steps = LibraryVersions.steps
        steps[4] = MigrationStep(
          "5", up: "UPDATE book SET title = title || hex(zeroblob(2000))")
        var migrator = Migrator(steps, schema: LibraryVersions.newest)
        migrator.fallback = { _ in fallback }
        var isReadOnly = false
        var problem: StorageError?

        do {
          isReadOnly = try Database(at: url, .init(migrator: migrator)).isReadOnly
        } catch let error as StorageError {
          problem = error
        }

        // Either the step or the copy of the old file runs out of space.
        let isFull = problem?.code == .full || problem?.message.contains("full") == true
        #expect(isReadOnly || isFull, "\(problem as Any)")
        let version = try LibraryVersions.migrator.version(of: try Database(at: url)) ?? ""
        #expect(version < "5")
        // Without space for restoring, the earlier steps remain, and the error says so.
        let isPutBack = problem?.message.contains("in its state before the migration") == true
        if isReadOnly || isPutBack { #expect(version == "1") }
        try requireOld(url, version)
        let names = try FileManager.default.contentsOfDirectory(atPath: disk.path())
        #expect(names.filter { $0.contains("tmp") || $0.contains("kept") } == [])

        // The migration succeeds on a larger disk.
        let copy = FileManager.default.temporaryDirectory.appending(
          path: "undercroft-migration-\(UUID().uuidString).sqlite")
        try Database(at: url).backUp(to: copy)
        let database = try Database(
          at: copy, .init(migrator: Migrator(steps, schema: LibraryVersions.newest)))
        #expect(try LibraryVersions.books(in: database, version: 6).count == 302)
        try database.close()
        try DatabaseFiles(at: copy).remove()
        for snapshot in try MigrationSnapshot.all(of: copy) { try snapshot.discard() }
      }
    }

    @Test func `migrating a file on a read-only file system throws, and the file remains readable`()
      throws
    {
      try OwnDisk.with(kilobytes: 2_000) { disk, makeReadOnly in
        let url = disk.appending(path: "library.sqlite")
        try makeFile(at: url)
        try makeReadOnly()

        let error = #expect(throws: StorageError.self) {
          try Database(at: url, .init(migrator: LibraryVersions.migrator))
        }

        #expect(error?.code == .accessDenied)
        #expect(error?.message.contains(";") == true, "\(error?.message ?? "")")
        let database = try Database(at: url, .init(isReadOnly: true))
        #expect(try LibraryVersions.books(in: database, version: 1).count == 302)
      }
    }
  }

  /// A small in-memory file system (tmpfs).
  enum OwnDisk {
    /// Fills the file system except for the given number of kilobytes.
    static func fill(_ disk: URL, leaving kilobytes: Int) throws {
      let file = open(disk.appending(path: ".filler").path(), O_WRONLY | O_CREAT, 0o600)
      defer { close(file) }
      let block = [UInt8](repeating: 7, count: 4_096)
      var count = 0
      while write(file, block, block.count) == block.count { count += block.count }
      try check(ftruncate(file, off_t(max(0, count - kilobytes * 1_024))))
    }

    static var isAvailable: Bool {
      (try? with(kilobytes: 100) { _, makeReadOnly in try makeReadOnly() }) != nil
    }

    /// Runs `body` with a new file system and a closure that makes it read-only.
    static func with(
      kilobytes: Int, _ body: (_ disk: URL, _ makeReadOnly: () throws -> Void) throws -> Void
    ) throws {
      try withTemporaryDirectory { directory in
        let mountPoint = directory.appending(path: "disk")
        try FileManager.default.createDirectory(at: mountPoint, withIntermediateDirectories: true)
        try check(mount("tmpfs", mountPoint.path, "tmpfs", 0, "size=\(kilobytes)k"))
        defer { umount2(mountPoint.path, Int32(MNT_DETACH)) }
        try body(mountPoint) {
          let flags = UInt(MS_REMOUNT | MS_RDONLY)
          // A database may remain open for writing for some milliseconds after its last use.
          for _ in 0..<10_000 where mount("tmpfs", mountPoint.path, "tmpfs", flags, nil) != 0 {
            guard errno == EBUSY else { break }
            usleep(1_000)
          }
          try check(mount("tmpfs", mountPoint.path, "tmpfs", flags, nil))
        }
      }
    }

    private static func check(_ result: Int32) throws {
      if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM) }
    }
  }
#endif
