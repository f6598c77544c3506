import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite(.timeLimit(.hangLimit)) struct FileLockTests {
  @Test func `two locks on one file exclude each other, and a wait ends at its timeout`() throws {
    let folder = try TemporaryDirectory()
    let first = try FileLock(at: folder.file("lock"))
    let second = try FileLock(at: folder.file("lock"))
    try first.lock(timeout: .zero)
    // On a busy machine one wait may take longer; a wait that ignores its timeout always does.
    let isSoon = try (0..<20).contains { _ in
      let start = ContinuousClock.now
      let error = try #require(throws: StorageError.self) {
        try second.lock(timeout: .milliseconds(150))
      }
      #expect(error.code == .locked)
      #expect(error.message.contains(folder.file("lock")))
      let waited = ContinuousClock.now - start
      #expect(waited >= .milliseconds(150))
      return waited < .seconds(4)
    }

    #expect(isSoon)

    first.unlock()
    try second.lock(timeout: .zero)
    second.unlock()
  }

  @Test func `destroying a FileLock that holds the lock unlocks the lock file`() throws {
    let folder = try TemporaryDirectory()
    do {
      let first = try FileLock(at: folder.file("lock"))
      try first.lock(timeout: .zero)
    }
    let second = try FileLock(at: folder.file("lock"))
    // A process that another test is starting has the descriptor until it runs its program.
    try second.lock(timeout: .hangLimit)
  }

  @Test(arguments: [false, true], [false, true])
  func `locking a removed lock file throws an error`(
    hasLinkedBackup: Bool, isInFolder: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    let inside = try Folder.open(folder.path)
    let old = try isInFolder ? FileLock("lock", in: inside) : FileLock(at: folder.file("lock"))
    if hasLinkedBackup { #expect(link(folder.file("lock"), folder.file("backup")) == 0) }
    #expect(unlink(folder.file("lock")) == 0)

    let new = try FileLock(at: folder.file("lock"))
    try new.lock(timeout: .zero)
    #expect(throws: StorageError.self) { try old.lock(timeout: .zero) }
  }

  @Test func `a file lock excludes other locks after the folder of the lock file was renamed`()
    throws
  {
    let folder = try TemporaryDirectory()
    try Folder.create(folder.file("library"))
    let lock = try FileLock("lock", in: Folder.open(folder.file("library")))

    #expect(rename(folder.file("library"), folder.file("archive")) == 0)

    try lock.lock(timeout: .zero)
    let other = try FileLock(at: folder.file("archive/lock"))
    #expect(throws: StorageError.self) { try other.lock(timeout: .zero) }
  }

  @Test func `a waiter that times out does not block later waiters`() throws {
    let folder = try TemporaryDirectory()
    let holder = try FileLock(at: folder.file("lock"))
    try holder.lock(timeout: .zero)
    let waiter = try FileLock(at: folder.file("lock"))

    #expect(throws: StorageError.self) { try waiter.lock(timeout: .milliseconds(10)) }

    holder.unlock()
    try holder.lock(timeout: .zero)
    holder.unlock()
    try waiter.lock(timeout: .zero)
  }

  @Test func `FileLocks of one lock file in several threads exclude each other`() async throws {
    let folder = try TemporaryDirectory()
    try folder.write("0", to: "count")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let lock = try FileLock(at: folder.file("lock"))
          for _ in 0..<50 {
            try lock.lock(timeout: .hangLimit)
            let count = try #require(Int(folder.read("count")))
            try folder.write("\(count + 1)", to: "count")
            lock.unlock()
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(try folder.read("count") == "200")
  }

  @Test func `a waiter gets the lock although another thread releases and acquires it repeatedly`()
    throws
  {
    let folder = try TemporaryDirectory()
    let isDone = Atomic(false)
    let turns = Atomic(0)
    let busy = Thread {
      guard let lock = try? FileLock(at: folder.file("lock")) else { return }
      while !isDone.load(ordering: .relaxed) {
        guard (try? lock.lock(timeout: .hangLimit)) != nil else { return }
        turns.add(1, ordering: .sequentiallyConsistent)
        usleep(2_000)
        lock.unlock()
      }
    }
    busy.start()
    defer { isDone.store(true, ordering: .relaxed) }
    let waiter = try FileLock(at: folder.file("lock"))
    // The holder releases the lock for microseconds only; without the queue byte it would acquire
    // the lock hundreds of times before the waiter does.
    let waited = try (0..<11).map { _ in
      let before = turns.load(ordering: .sequentiallyConsistent)
      while turns.load(ordering: .sequentiallyConsistent) == before, !busy.isFinished {
        usleep(100)
      }
      let start = turns.load(ordering: .sequentiallyConsistent)
      try waiter.lock(timeout: .hangLimit)
      defer { waiter.unlock() }
      return turns.load(ordering: .sequentiallyConsistent) - start
    }
    // The median, because this thread may be suspended just before it begins to wait.

    #expect(waited.sorted()[5] <= 5, "\(waited)")
  }

  @Test
  func `all FileLocks of a file share its counters, and a change of one counter changes no other`()
    throws
  {
    let folder = try TemporaryDirectory()
    let inside = try Folder.open(folder.path)
    let first = try FileLock("lock", in: inside)
    let second = try FileLock(at: folder.file("lock"))
    #expect(try second.count(.batches) == 0)

    try first.reserveCounters()
    try first.advance(.changes)
    try second.advance(.changes)
    try second.advance(.batches)
    // Reserving again leaves existing counters unchanged.
    try second.reserveCounters()

    #expect(try first.count(.changes) == 2)
    #expect(try first.count(.batches) == 1)
    #expect(
      try FileLock.count(.changes, in: Descriptor(opening: folder.file("lock"), O_RDONLY)) == 2)
  }

  @Test
  func `a begun write is reported as unfinished until the lock file records the end of the write`()
    throws
  {
    let folder = try TemporaryDirectory()
    let lock = try FileLock(at: folder.file("lock"))
    let empty = try lock.writeCounts()
    #expect(empty == .init(ended: 0, isUnfinished: false))
    try lock.reserveCounters()
    #expect(try lock.writeCounts() == empty)

    try lock.announceWrite(after: empty)
    #expect(try lock.writeCounts() == .init(ended: 0, isUnfinished: true))
    try lock.endWrite(after: empty)

    let counts = try lock.writeCounts()
    #expect(counts == .init(ended: 1, isUnfinished: false))
    // An instance of an earlier version counts writes and does not announce them.
    try lock.advance(.changes)
    #expect(try lock.writeCounts() == .init(ended: 2, isUnfinished: false))
    try lock.announceWrite(after: counts)
    #expect(try lock.writeCounts() == .init(ended: 2, isUnfinished: false))
    #expect(try lock.count(.batches) == 0)
  }

  @Test
  func `a FileLock whose lock file is too short for its counters reports no unfinished write`()
    throws
  {
    let folder = try TemporaryDirectory()
    let lock = try FileLock(at: folder.file("lock"))
    for text in [
      "", "x", "123456789", "12345678\u{3}\0\0\0\0\0\0\0", String(repeating: "\0", count: 31),
    ] {
      try folder.write(text, to: "lock")
      #expect(try lock.writeCounts().isUnfinished == false)
    }
    // A lock file of an earlier version, without the last counter.
    try folder.write("12345678\u{3}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", to: "lock")
    try lock.reserveCounters()

    #expect(try lock.writeCounts() == .init(ended: 3, isUnfinished: false))

    try lock.announceWrite(after: try lock.writeCounts())
    #expect(try lock.writeCounts().isUnfinished)
  }

  @Test
  func `opening a lock file at a symbolic link throws an error and does not create the target`()
    throws
  {
    let folder = try TemporaryDirectory()
    try #require(symlink(folder.file("victim"), folder.file("lock")) == 0)
    let inside = try Folder.open(folder.path)

    #expect(throws: StorageError.self) { _ = try FileLock("lock", in: inside) }
    #expect(try folder.names == ["lock"])
  }
}
