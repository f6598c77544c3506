package import UndercroftCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// One open file or folder, closed exactly once.
package struct Descriptor: ~Copyable, Sendable {
  package let raw: Int32
  /// What error messages call it.
  package let path: String

  /// Opens `path`, relative to the folder `directory` if one is given; never inherited by child processes.
  package init(
    opening path: String, in directory: borrowing Descriptor, _ flags: Int32, mode: mode_t = 0o600
  ) throws(StorageError) {
    let full = directory.path + "/" + path
    try self.init(full, Platform.retrying { openat(directory.raw, path, flags | O_CLOEXEC, mode) })
  }

  package init(opening path: String, _ flags: Int32, mode: mode_t = 0o600) throws(StorageError) {
    try self.init(path, Platform.retrying { open(path, flags | O_CLOEXEC, mode) })
  }

  /// Opens a regular file; a pipe in its place is an error, and is not waited for.
  package init(regularFile path: String, _ flags: Int32) throws(StorageError) {
    let file = try Descriptor(opening: path, flags | O_NONBLOCK)
    guard try file.status().st_mode & S_IFMT == S_IFREG else {
      throw StorageError(
        .io, "cannot open \(quoted(path)): it is no regular file", cure: "remove what stands there")
    }
    self = file
  }

  private init(_ path: String, _ raw: Int32) throws(StorageError) {
    guard raw >= 0 else { throw .system("open", path) }
    self.raw = raw
    self.path = path
  }

  deinit { close(raw) }

  /// What is read in one piece: a sparse file can claim to be larger than any memory.
  private static let mostBytes = 16 << 30

  /// Returns size, mode, link count and the like. (`fstat`)
  package func status() throws(StorageError) -> stat {
    var status = stat()
    guard Platform.retrying({ fstat(raw, &status) }) == 0 else { throw .system("examine", path) }
    return status
  }

  /// Returns up to `count` bytes from `offset`; fewer only at the end of the file. (`pread`)
  package func read(_ count: Int, at offset: Int) throws(StorageError) -> Data {
    guard count <= Self.mostBytes else {
      throw StorageError(
        .tooLarge, "cannot read \(quoted(path)): it has more than \(Self.mostBytes >> 30) GiB")
    }
    // Not `Data(count:)`, which ends the process where there is not so much memory.
    guard let buffer = malloc(max(1, count)) else { throw .system("read", path) }
    do throws(StorageError) {
      let done = try read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: count), at: offset)
      return Data(bytesNoCopy: buffer, count: done, deallocator: .free)
    } catch {
      free(buffer)
      throw error
    }
  }

  /// Fills `buffer` with the bytes from `offset` on. (`pread`)
  ///
  /// - Returns: how many bytes were read; fewer than the buffer holds only at the end of the file.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(StorageError) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    var done = 0
    while done < buffer.count {
      let got = Platform.retrying {
        pread(raw, start.advanced(by: done), buffer.count - done, off_t(offset + done))
      }
      guard got >= 0 else { throw .system("read", path) }
      if got == 0 { break }
      done += got
    }
    return done
  }

  /// Returns the whole file as it is now, at most `limit` bytes.
  package func readAll(limit: Int = .max) throws(StorageError) -> Data {
    let size = Int(try status().st_size)
    guard size <= limit else {
      throw StorageError(
        .tooLarge, "cannot read \(quoted(path)): it has \(size) bytes, the most is \(limit)")
    }
    return try read(size, at: 0)
  }

  /// Writes all of `bytes` at the file's position, or at its end if it was opened to append. (`write`)
  package func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
    try writeAll(bytes) { (rest, _) in Platform.write(raw, rest.baseAddress, rest.count) }
  }

  /// Writes all of `bytes` at `offset`, and leaves the file's position as it is. (`pwrite`)
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    try writeAll(bytes) { (rest, done) in
      pwrite(raw, rest.baseAddress, rest.count, off_t(offset + done))
    }
  }

  /// Calls `put` with the bytes that are not written yet, and how many are, until all are written.
  private func writeAll(
    _ bytes: UnsafeRawBufferPointer, _ put: (UnsafeRawBufferPointer, Int) -> Int
  ) throws(StorageError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = Platform.retrying { put(rest, done) }
      guard count >= 0 else { throw .system("write", path) }
      // A call that writes nothing sets no error number, and repeating it could go on without end.
      guard count > 0 else { throw .system("write", path, number: EIO) }
      done += count
    }
  }

  /// Makes the file `size` bytes long. (`ftruncate`)
  package func truncate(to size: Int) throws(StorageError) {
    guard Platform.retrying({ ftruncate(raw, off_t(size)) }) == 0 else {
      throw .system("truncate", path)
    }
  }

  package func write(_ bytes: Data) throws(StorageError) {
    let failure = bytes.withUnsafeBytes { buffer -> StorageError? in
      do throws(StorageError) { try write(buffer) } catch { return error }
      return nil
    }
    if let failure { throw failure }
  }

  /// Waits until all that was written is on the disk. (`fsync`; on Apple systems `F_FULLFSYNC`, for theirs stops at the drive)
  ///
  /// If it fails, the file's contents on the disk are unknown: write them to another file.
  package func synchronize() throws(StorageError) {
    guard Platform.retrying({ Platform.flush(raw) }) == 0 else { throw .system("flush", path) }
  }
}

extension Platform {
  fileprivate static func flush(_ raw: Int32) -> Int32 {
    #if canImport(Darwin)
      // Not every file system has it.
      fcntl(raw, F_FULLFSYNC) == 0 ? 0 : fsync(raw)
    #else
      fsync(raw)
    #endif
  }

  fileprivate static func write(_ raw: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.write(raw, bytes, count)
    #elseif canImport(Musl)
      Musl.write(raw, bytes, count)
    #else
      Darwin.write(raw, bytes, count)
    #endif
  }
}
