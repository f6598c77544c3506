package import UndercroftCore

/// An advisory lock between processes, on a separate file that is never renamed or removed.
///
/// The lock belongs to the open file (`F_OFD_SETLK`). Two locks on one path therefore
/// exclude each other within one process as well, and the lock of a killed process is
/// released. A waiter locks the second byte of the file as a queue before the first
/// byte, which is the lock itself. A holder that releases the lock therefore cannot
/// acquire it again before the waiter that has locked the second byte.
///
/// Only one thread can use an instance at a time: access
/// an instance through a ``StoreLock`` or a `Mutex`.
package struct FileLock: ~Copyable, Sendable {
  let file: Descriptor
  private let identity: FileIdentity
  /// The open folder that contains the lock file, or `nil` if ``name`` is a path.
  private let folder: Descriptor?
  private let folderNumber: Int32
  private let name: String
  static let lockByte: off_t = 0
  static let queueByte: off_t = 1

  /// Opens the lock file at `path`, and creates it if it does not exist.
  package init(at path: String) throws(StorageError) {
    let file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW)
    identity = FileIdentity(try file.status())
    self.file = consume file
    folder = nil
    folderNumber = AT_FDCWD
    name = path
  }

  /// Opens the lock file `name` in an open folder, and creates it if it does not exist.
  package init(_ name: String, in folder: borrowing Descriptor) throws(StorageError) {
    let file = try Descriptor(opening: name, in: folder, O_RDWR | O_CREAT | O_NOFOLLOW)
    let own = try Descriptor(opening: ".", in: folder, O_RDONLY | O_DIRECTORY)
    identity = FileIdentity(try file.status())
    self.file = consume file
    folderNumber = own.raw
    self.folder = consume own
    self.name = name
  }

  /// Waits for the lock, at most for `timeout`.
  ///
  /// - Throws: ``StorageError/Code/locked`` after the timeout. Throws
  ///   ``StorageError/Code/unavailable`` if another program has removed or replaced the lock file,
  ///   because other instances of the store then lock a new file, and this lock does not exclude
  ///   these instances.
  package func lock(timeout: Duration) throws(StorageError) {
    let deadline = ContinuousClock.now + timeout
    try Self.wait(until: deadline, on: file, byte: Self.queueByte, Self.tryLock)
    defer { Self.unlock(file.raw, byte: Self.queueByte) }
    try Self.wait(until: deadline, on: file, byte: Self.lockByte, Self.tryLock)
    do throws(StorageError) {
      guard try isNamed() else {
        throw StorageError(
          .unavailable,
          """
          cannot lock \(quoted(file.path)): the lock file was removed or replaced while the store \
          was open
          """,
          suggestion: "open the store again, and do not remove the lock file of an open store")
      }
    } catch {
      unlock()
      throw error
    }
  }

  /// Returns whether the path of the lock file still refers to the open file.
  private func isNamed() throws(StorageError) -> Bool {
    var named = stat()
    let result = Platform.retrying { fstatat(folderNumber, name, &named, AT_SYMLINK_NOFOLLOW) }
    guard result == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw .system("read the attributes of", file.path)
    }
    return FileIdentity(named) == identity
  }

  /// Releases the lock.
  package func unlock() {
    Self.unlock(file.raw, byte: Self.lockByte)
  }

  /// Tries to lock one byte with `tryLock` until this succeeds, at most until `deadline`.
  static func wait(
    until deadline: ContinuousClock.Instant, on file: borrowing Descriptor, byte: off_t,
    _ tryLock: (_ raw: Int32, _ byte: off_t) -> Bool
  ) throws(StorageError) {
    var pause: UInt32 = 100
    while !tryLock(file.raw, byte) {
      guard errno == EAGAIN || errno == EACCES else { throw .system("lock", file.path) }
      guard ContinuousClock.now < deadline else {
        throw StorageError(
          .locked,
          """
          cannot lock \(quoted(file.path)): another process, or another backend in this process, \
          holds the lock or waits for the lock
          """,
          suggestion:
            "wait until the lock is released, or open the store with a longer lock timeout")
      }
      usleep(pause)
      pause = min(pause * 2, 5_000)
    }
  }

  /// Locks one byte of an open file without waiting, and returns
  /// whether the byte was locked (`fcntl`, `F_OFD_SETLK`).
  package static func tryLock(_ raw: Int32, byte: off_t) -> Bool {
    set(raw, byte, Int16(F_WRLCK))
  }

  /// Acquires a shared lock on one byte of an open file without
  /// waiting, and returns whether the byte was locked (`F_RDLCK`).
  ///
  /// A shared lock excludes ``tryLock(_:byte:)``, but not other shared locks.
  ///
  /// The file need not be open for writing.
  package static func trySharedLock(_ raw: Int32, byte: off_t) -> Bool {
    set(raw, byte, Int16(F_RDLCK))
  }

  /// Releases the lock on one byte of an open file.
  static func unlock(_ raw: Int32, byte: off_t) {
    _ = set(raw, byte, Int16(F_UNLCK))
  }

  private static func set(_ raw: Int32, _ byte: off_t, _ type: Int16) -> Bool {
    var lock = flock()
    lock.l_type = type
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = byte
    lock.l_len = 1
    return Platform.retrying { fcntl(raw, Platform.setOpenFileLock, &lock) } == 0
  }
}
