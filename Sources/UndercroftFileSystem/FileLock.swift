package import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A lock between processes, on a file of its own that is never renamed or removed.
///
/// Locks belong to the open file, so two locks on one path exclude each other within one process as well, and a killed process lets
/// go. Waiters pass a turnstile (the second byte) before the door (the first), so that a busy holder who lets go
/// cannot take the lock again before those who wait.
///
/// One instance must be used by one thread at a time: keep it in a `Mutex`.
package struct FileLock: ~Copyable, Sendable {
  private let file: Descriptor
  private static let door: off_t = 0
  private static let turnstile: off_t = 1

  /// Opens the lock file, making it if need be.
  package init(at path: String) throws(StorageError) {
    file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW)
  }

  /// Waits for the lock, at most `timeout`.
  ///
  /// - Throws: ``StorageError/Code/locked`` when the time is over.
  package func lock(timeout: Duration) throws(StorageError) {
    let deadline = ContinuousClock.now + timeout
    try wait(for: Self.turnstile, until: deadline)
    defer { Self.unlock(file.raw, byte: Self.turnstile) }
    try wait(for: Self.door, until: deadline)
  }

  /// Lets go.
  package func unlock() {
    Self.unlock(file.raw, byte: Self.door)
  }

  /// How often ``advanceGeneration()`` was called on this lock file, by any process.
  package func generation() throws(StorageError) -> UInt64 {
    let bytes = try file.read(8, at: 8)
    guard bytes.count == 8 else { return 0 }
    return bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
  }

  /// Tells all other openers that the holder of the lock has changed something.
  package func advanceGeneration() throws(StorageError) {
    let next = (try generation() &+ 1).littleEndian
    let put = withUnsafeBytes(of: next) { pwrite(file.raw, $0.baseAddress, 8, 8) }
    guard put == 8 else { throw .system("write", file.path) }
  }

  private func wait(for byte: off_t, until deadline: ContinuousClock.Instant)
    throws(StorageError)
  {
    var pause: UInt32 = 100
    while !Self.tryLock(file.raw, byte: byte) {
      guard errno == EAGAIN || errno == EACCES else { throw .system("lock", file.path) }
      guard ContinuousClock.now < deadline else {
        throw StorageError(
          .locked, "cannot lock \(quoted(file.path)): another process holds it",
          cure: "wait for it to finish, or open the store with a longer lock timeout")
      }
      usleep(pause)
      pause = min(pause * 2, 5_000)
    }
  }

  /// Takes one byte of an open file, without waiting. (`fcntl`, `F_OFD_SETLK`)
  package static func tryLock(_ raw: Int32, byte: off_t) -> Bool {
    set(raw, byte, Int16(F_WRLCK))
  }

  private static func unlock(_ raw: Int32, byte: off_t) {
    _ = set(raw, byte, Int16(F_UNLCK))
  }

  private static func set(_ raw: Int32, _ byte: off_t, _ type: Int16) -> Bool {
    var lock = flock()
    lock.l_type = type
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = byte
    lock.l_len = 1
    return fcntl(raw, Platform.setOpenFileLock, &lock) == 0
  }
}
