import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftFiles

/// Tests of writes that a full disk, a failed call or a killed process leaves unfinished.
@Suite(.enabled(if: faults_are_available() != 0)) struct UnfinishedWriteTests {
  private static let long = String(repeating: "Ä", count: 100)
  private static let old = ["author": "Le Guin", "gone": "x", "loan": "Dune", long: "old"]
  private static let new = ["author": "Lem", "loan": "Solaris", long: "new", "reader": "Ada"]
  private static let batch: [StorageChange] =
    new.map { .set($0.key, Data($0.value.utf8)) } + [.remove("gone")]

  private static func open(_ directory: URL) throws -> FileBackend {
    try FileBackend(in: directory.appending(path: "store"))
  }

  private static func values(of store: FileBackend) throws -> [String: String] {
    var values: [String: String] = [:]
    for name in try store.keys(withPrefix: "") {
      values[name] = try store.read(name).map { String(decoding: $0, as: UTF8.self) } ?? "nil"
    }
    return values
  }

  private static func write(_ values: [String: String], to store: FileBackend) throws {
    try store.apply(values.map { .set($0.key, Data($0.value.utf8)) })
  }

  /// Runs `body` while some of its system calls fail, and returns the number of calls of that kind.
  private static func failing(
    _ call: faults_call, _ first: Int32, _ count: Int32, _ error: Int32,
    _ body: () throws -> Void
  ) rethrows -> Int32 {
    faults_arm(Int32(call.rawValue), first, count, error)
    defer { _ = faults_disarm() }
    try body()
    return faults_disarm()
  }

  /// Applies changes while one system call fails, and returns the number of calls of that kind.
  private static func apply(
    _ changes: [StorageChange], to store: FileBackend, counting call: faults_call,
    failing number: Int32
  ) throws -> Int32 {
    try failing(call, number, 1, EIO) { try store.apply(changes) }
  }

  /// Applies changes, and returns the number of system calls of a kind.
  private static func apply(
    _ changes: [StorageChange], to store: FileBackend, counting call: faults_call
  ) throws -> Int32 {
    try apply(changes, to: store, counting: call, failing: .max)
  }

  /// Waits until the next `externalChangeCount()` reads the disk again.
  private static func waitForNextRead() { usleep(50_000) }

  private static func stagedFiles(in directory: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path + "/store")
      .filter { $0.hasSuffix(".staged") }
  }

  @Test(arguments: [ENOSPC, EIO])
  func `a folder with a pending batch can be opened and read even if finishing the batch fails`(
    error: Int32
  ) throws {
    try withTemporaryDirectory { directory in
      do {
        let store = try Self.open(directory)
        try Self.write(Self.old, to: store)
        // The first step of the batch fails, so the commit record stays.
        _ = try Self.apply(Self.batch, to: store, counting: FAULTS_UNLINK, failing: 1)
      }

      _ = try Self.failing(FAULTS_RENAME, 1, 1_000, error) {
        let store = try Self.open(directory)
        #expect(try Self.values(of: store) == Self.new)
        let failure = #expect(throws: StorageError.self) {
          try store.apply([.set("next", Data("kept".utf8))])
        }
        #expect(failure?.code == (error == ENOSPC ? .full : .io))
        #expect(failure?.message.contains("this call cannot complete these changes") == true)
        #expect(failure?.message.contains("free disk space") == (error == ENOSPC))
        #expect(try Self.values(of: store) == Self.new)
      }

      let store = try Self.open(directory)
      try store.apply([.set("next", Data("kept".utf8))])
      #expect(try Self.values(of: store) == Self.new.merging(["next": "kept"]) { $1 })
      #expect(try Self.stagedFiles(in: directory).isEmpty)
    }
  }

  private static let changes: [[StorageChange]] = [
    [.set("loan", Data("Solaris".utf8))], [.remove("loan")], [.set(long, Data("new".utf8))],
    [.set("loan", Data("Solaris".utf8)), .remove("gone")],
  ]

  /// The state left by a process killed after the change and before the change is counted.
  @Test(arguments: changes)
  func `a FileBackend detects a write even if the writer dies before updating the change count`(
    changes: [StorageChange]
  ) throws {
    try withTemporaryDirectory { directory in
      let writer = try Self.open(directory)
      try Self.write(Self.old, to: writer)
      let last = try Self.apply(changes, to: writer, counting: FAULTS_WRITE)
      try Self.write(Self.old, to: writer)
      let witness = try Self.open(directory)
      var count = witness.externalChangeCount()

      _ = try Self.apply(changes, to: writer, counting: FAULTS_WRITE, failing: last)

      for _ in 0..<3 {
        Self.waitForNextRead()
        #expect(witness.externalChangeCount() != count)
        count = witness.externalChangeCount()
      }
      try writer.apply([.set("next", Data())])
      Self.waitForNextRead()

      #expect(witness.externalChangeCount() != count)

      count = witness.externalChangeCount()
      Self.waitForNextRead()

      #expect(witness.externalChangeCount() == count)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "using files as another user takes more rights"))
  func `a read-only FileBackend detects a write even if the writer dies before updating the count`()
    throws
  {
    try withTemporaryDirectory { directory in
      let writer = try Self.open(directory)
      let changes = Self.changes[0]
      try Self.write(Self.old, to: writer)
      let last = try Self.apply(changes, to: writer, counting: FAULTS_WRITE)
      let location = directory.path + "/store"
      for path in [location, location + "/.undercroft-files", location + "/.undercroft-lock"] {
        try #require(chmod(path, path == location ? 0o755 : 0o644) == 0)
      }
      faults_use_files_as(65_534)
      defer { faults_use_files_as(0) }
      let witness = try Self.open(directory)

      let denied = #expect(throws: StorageError.self) { try witness.apply(changes) }
      #expect(denied?.code == .accessDenied)
      let count = witness.externalChangeCount()
      #expect(witness.externalChangeCount() == count)

      faults_use_files_as(0)
      _ = try Self.apply(changes, to: writer, counting: FAULTS_WRITE, failing: last)
      faults_use_files_as(65_534)

      let unfinished = [witness.externalChangeCount(), witness.externalChangeCount()]
      #expect(Set([count] + unfinished).count == 3)
      faults_use_files_as(0)
      try writer.apply([.set("next", Data())])
      faults_use_files_as(65_534)
      let settled = witness.externalChangeCount()
      #expect(!unfinished.contains(settled))
      #expect(witness.externalChangeCount() == settled)
    }
  }

  @Test
  func `a store whose lock file lacks a counter opens on a full disk, and values can be removed`()
    throws
  {
    try withTemporaryDirectory { directory in
      try Self.write(Self.old, to: Self.open(directory))
      // The last counter of the lock file is missing, and there is no space to add it.
      try #require(truncate(directory.path + "/store/.undercroft-lock", 24) == 0)

      _ = try Self.failing(FAULTS_WRITE, 1, 1_000, ENOSPC) {
        let store = try Self.open(directory)
        try store.apply([.remove("gone")])
        #expect(try store.keys(withPrefix: "").contains("gone") == false)
        let error = #expect(throws: StorageError.self) {
          try store.apply([.set("loan", Data("x".utf8))])
        }
        #expect(error?.code == .full)
        #expect(try store.read("loan") == Data("Dune".utf8))
      }

      let store = try Self.open(directory)
      try store.apply([.set("loan", Data("Solaris".utf8))])
      #expect(try store.read("loan") == Data("Solaris".utf8))
    }
  }

  @Test func `a store's own write is not reported as an external change`() throws {
    try withTemporaryDirectory { directory in
      let store = try Self.open(directory)
      let count = store.externalChangeCount()
      for changes in Self.changes {
        try store.apply(changes)
        Self.waitForNextRead()
        #expect(store.externalChangeCount() == count)
      }
    }
  }

  @Test(arguments: [false, true])
  func `the next write repeats the flush that failed after a commit record was removed`(
    isByOther: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let store = try Self.open(directory)
      let other = try Self.open(directory)
      let next: [StorageChange] = [.set("next", Data("kept".utf8))]
      try Self.write(Self.old, to: store)
      let flushes = try Self.apply(next, to: store, counting: FAULTS_SYNC)
      let last = try Self.apply(Self.batch, to: store, counting: FAULTS_SYNC)
      try Self.write(Self.old, to: store)

      // The batch is valid all the same.
      _ = try Self.apply(Self.batch, to: store, counting: FAULTS_SYNC, failing: last)

      let writer = isByOther ? other : store
      let failure = #expect(throws: StorageError.self) {
        try Self.apply([.remove("loan")], to: writer, counting: FAULTS_SYNC, failing: 1)
      }
      #expect(failure?.message.contains("is in place") == false)
      #expect(try writer.read("loan") == Data("Solaris".utf8))
      #expect(try Self.apply(next, to: writer, counting: FAULTS_SYNC) == flushes + 1)
      #expect(try Self.apply(next, to: writer, counting: FAULTS_SYNC) == flushes)
    }
  }

  @Test(.heavy, arguments: [false, true])
  func `the next write repeats the failed flush of a rollback and removes the staged files`(
    isByOther: Bool
  ) throws {
    var hasUndone = false
    for first in Int32(1)...50 {
      let isOver = try withTemporaryDirectory { directory in
        let store = try Self.open(directory)
        let other = try Self.open(directory)
        let next: [StorageChange] = [.set("next", Data("kept".utf8))]
        try Self.write(Self.old, to: store)
        let flushes = try Self.apply(next, to: store, counting: FAULTS_SYNC)

        var isRefused = false
        let calls = Self.failing(FAULTS_SYNC, first, 2, EIO) {
          isRefused = (try? store.apply(Self.batch)) == nil
        }

        guard isRefused, try !Self.stagedFiles(in: directory).isEmpty else {
          return calls < first
        }
        hasUndone = true
        let writer = isByOther ? other : store
        #expect(try Self.apply(next, to: writer, counting: FAULTS_SYNC) == flushes + 1)
        #expect(try Self.stagedFiles(in: directory).isEmpty)
        #expect(try Self.values(of: writer) == Self.old.merging(["next": "kept"]) { $1 })
        return calls < first
      }
      if isOver { break }
    }

    #expect(hasUndone)
  }

  /// The instance that finishes another's batch fails after it has removed the commit record.
  @Test(.heavy, arguments: [false, true])
  func
    `the next write repeats a failed flush of an instance that finished another instance's batch`(
      isByThird: Bool
    ) throws
  {
    var hasRemoved = false
    for first in Int32(1)...50 {
      let isOver = try withTemporaryDirectory { directory in
        let store = try Self.open(directory)
        let finisher = try Self.open(directory)
        let third = try Self.open(directory)
        let next: [StorageChange] = [.set("next", Data("kept".utf8))]
        let record = directory.path + "/store/.undercroft-batch"
        try Self.write(Self.old, to: store)
        let flushes = try Self.apply(next, to: store, counting: FAULTS_SYNC)
        // The first step of the batch fails, so the commit record stays.
        _ = try Self.apply(Self.batch, to: store, counting: FAULTS_UNLINK, failing: 1)
        try #require(FileManager.default.fileExists(atPath: record))

        var failure: StorageError?
        let calls = try Self.failing(FAULTS_SYNC, first, 1, EIO) {
          do { try finisher.apply(next) } catch let error as StorageError { failure = error }
        }

        guard failure?.message.contains("this call cannot complete these changes") == true,
          !FileManager.default.fileExists(atPath: record)
        else { return calls < first }
        hasRemoved = true
        let writer = isByThird ? third : finisher
        #expect(try Self.apply(next, to: writer, counting: FAULTS_SYNC) == flushes + 1)
        #expect(try Self.apply(next, to: writer, counting: FAULTS_SYNC) == flushes)
        #expect(try Self.values(of: writer) == Self.new.merging(["next": "kept"]) { $1 })
        return calls < first
      }
      if isOver { break }
    }

    #expect(hasRemoved)
  }

  /// As a process leaves the folder that is killed between the renaming of its commit record and
  /// the flush of the folder.
  @Test
  func `a FileBackend flushes another writer's commit record before applying that writer's batch`()
    throws
  {
    try withTemporaryDirectory { directory in
      let store = try Self.open(directory)
      let finisher = try Self.open(directory)
      let next: [StorageChange] = [.set("next", Data("kept".utf8))]
      let folder = directory.appending(path: "store")
      try Self.write(Self.old, to: store)
      let flushes = try Self.apply(Self.batch, to: store, counting: FAULTS_SYNC)
      try Self.write(Self.old, to: store)
      try store.apply([.remove("reader")])
      // The flushes of the values, of their names and of the record succeed. The flush of the name
      // of the record fails, and the record cannot be removed either.
      let beforeRecord = Int32(Self.new.count + 2)

      try #require(beforeRecord < flushes)
      faults_arm(
        Int32(FAULTS_SYNC.rawValue) | Int32(FAULTS_UNLINK.rawValue), beforeRecord + 1, 2, EIO)
      let failure = #expect(throws: StorageError.self) { try store.apply(Self.batch) }
      _ = faults_disarm()
      #expect(failure?.message.contains("is in place") == true)
      let record = folder.appending(path: ".undercroft-batch").path
      try #require(FileManager.default.fileExists(atPath: record))

      _ = Self.failing(FAULTS_SYNC, 1, 1, EIO) {
        #expect(throws: StorageError.self) { try finisher.apply(next) }
      }

      for (name, value) in ["author": "Le Guin", "gone": "x", "loan": "Dune"] {
        let file = folder.appending(path: name)
        #expect((try? Data(contentsOf: file)) == Data(value.utf8), "\(name)")
      }
      #expect(FileManager.default.fileExists(atPath: record))
      #expect(try Self.values(of: finisher) == Self.new)
      try finisher.apply(next)
      #expect(try Self.values(of: store) == Self.new.merging(["next": "kept"]) { $1 })
    }
  }
}
