import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite(.timeLimit(.hangLimit)) struct SharedFileLockTests {
  @Test func `a shared lock excludes writers, but not other shared locks`() throws {
    let folder = try TemporaryDirectory()
    let writer = try FileLock(at: folder.file("lock"))
    do {
      let first = try FileLock.sharedLock(at: folder.file("lock"), timeout: .zero)
      let second = try FileLock.sharedLock(at: folder.file("lock"), timeout: .zero)

      let error = #expect(throws: StorageError.self) { try writer.lock(timeout: .zero) }
      #expect(error?.code == .locked)
      withExtendedLifetime(first) {}
      withExtendedLifetime(second) {}
    }

    // A process that another test is starting has the descriptors until it runs its program.
    try writer.lock(timeout: .hangLimit)
    writer.unlock()
  }

  @Test func `a shared lock waits for a writer until its timeout`() throws {
    let folder = try TemporaryDirectory()
    let writer = try FileLock(at: folder.file("lock"))
    try writer.lock(timeout: .zero)

    let error = #expect(throws: StorageError.self) {
      _ = try FileLock.sharedLock(at: folder.file("lock"), timeout: .milliseconds(20))
    }

    #expect(error?.code == .locked)
    writer.unlock()
    _ = try FileLock.sharedLock(at: folder.file("lock"), timeout: .zero)
  }

  @Test func `a shared lock neither creates nor changes the lock file`() throws {
    let folder = try TemporaryDirectory()

    #expect(throws: StorageError.self) {
      _ = try FileLock.sharedLock(at: folder.file("lock"), timeout: .zero)
    }

    #expect(try folder.names == [])
  }
}
