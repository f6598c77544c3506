package import UndercroftCore
package import UndercroftFoundation

/// An open file or folder, whose file descriptor is closed exactly once.
package struct Descriptor: ~Copyable, Sendable {
  /// The file descriptor of the open file or folder.
  package let raw: Int32
  /// The path for error messages.
  package let path: String

  /// Opens `path`, relative to the folder `directory`, with a file
  /// descriptor that child processes do not inherit (`openat`).
  package init(
    opening path: String, in directory: borrowing Descriptor, _ flags: Int32, mode: mode_t = 0o600
  ) throws(StorageError) {
    let full = directory.path + "/" + path
    try self.init(full, Platform.retrying { openat(directory.raw, path, flags | O_CLOEXEC, mode) })
  }

  /// Opens `path` with a file descriptor that child processes do not inherit (`open`).
  package init(opening path: String, _ flags: Int32, mode: mode_t = 0o600) throws(StorageError) {
    try self.init(path, Platform.retrying { open(path, flags | O_CLOEXEC, mode) })
  }

  /// Opens a regular file, without blocking if a FIFO is at the path.
  ///
  /// - Throws: ``StorageError/Code/io`` if the path is not a regular file.
  package init(regularFile path: String, _ flags: Int32) throws(StorageError) {
    let file = try Descriptor(opening: path, flags | O_NONBLOCK)
    guard try file.status().st_mode & S_IFMT == S_IFREG else {
      throw StorageError(
        .io, "cannot open \(quoted(path)): the item at this path is not a regular file",
        suggestion: "choose another path, or move the item at this path to another folder")
    }
    self = file
  }

  private init(_ path: String, _ raw: Int32) throws(StorageError) {
    guard raw >= 0 else { throw .system("open", path) }
    self.raw = raw
    self.path = path
  }

  deinit { close(raw) }

  /// The maximum size of one read in bytes: 16 GiB.
  ///
  /// Without a limit, reading a sparse file could request more memory than any machine has.
  package static let maximumByteCount = 16 << 30

  /// Returns the size, mode, link count and further properties of the file (`fstat`).
  package func status() throws(StorageError) -> stat {
    var status = stat()
    guard Platform.retrying({ fstat(raw, &status) }) == 0 else {
      throw .system("read the attributes of", path)
    }
    return status
  }

  /// Returns up to `count` bytes from `offset`, and fewer only at the end of the file (`pread`).
  package func read(_ count: Int, at offset: Int) throws(StorageError) -> Data {
    guard count <= Self.maximumByteCount else {
      throw StorageError(
        .tooLarge,
        """
        cannot read \(count) bytes of \(quoted(path)): the limit of one read is \
        \(Self.maximumByteCount) bytes
        """,
        suggestion: """
          if the file contains one value, read the value in chunks, with withReader(for:_:), and \
          otherwise restore the file from a backup
          """)
    }
    // Not `Data(count:)`, which crashes if there is not enough memory.
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

  /// Fills `buffer` with the bytes from `offset` (`pread`).
  ///
  /// - Returns: the number of bytes read, which is less than
  ///   the size of the buffer only at the end of the file.
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

  /// Returns the present content of the file.
  ///
  /// - Parameters:
  ///   - limit: the maximum size of the file in bytes.
  ///   - suggestion: the recommended action if the file is larger.
  /// - Throws: ``StorageError/Code/tooLarge`` if the file has more than `limit` bytes.
  package func readAll(
    limit: Int = .max, suggestion: String = "restore the file from a backup"
  ) throws(StorageError) -> Data {
    let size = Int(try status().st_size)
    guard size <= limit else {
      throw StorageError(
        .tooLarge,
        """
        cannot read \(quoted(path)): the file has \(size) bytes, and the limit for this file is \
        \(limit) bytes
        """,
        suggestion: suggestion)
    }
    return try read(size, at: 0)
  }

  /// Returns the content of the file up to its end, even if the file has more bytes than the system
  /// reports, such as a file in `/proc` or a file that another process extends meanwhile.
  ///
  /// - Parameters:
  ///   - limit: the maximum size of the file in bytes.
  ///   - suggestion: the recommended action if the file is larger.
  /// - Throws: ``StorageError/Code/tooLarge`` if the file has more than `limit` bytes.
  package func readToEnd(limit: Int, suggestion: String) throws(StorageError) -> Data {
    var content = try readAll(limit: limit, suggestion: suggestion)
    while true {
      let part = try read(1 << 16, at: content.count)
      if part.isEmpty { return content }
      guard part.count <= limit - content.count else {
        throw StorageError(
          .tooLarge,
          """
          cannot read \(quoted(path)): the file has more than \(limit) bytes, which is the limit \
          for this file
          """,
          suggestion: suggestion)
      }
      content += part
    }
  }

  /// Writes `bytes` at the current position, or at the
  /// end if the file was opened for appending (`write`).
  package func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
    try writeAll(bytes) { (rest, _) in Platform.write(raw, rest.baseAddress, rest.count) }
  }

  /// Writes `bytes` at `offset` without changing the current position (`pwrite`).
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    try writeAll(bytes) { (rest, done) in
      pwrite(raw, rest.baseAddress, rest.count, off_t(offset + done))
    }
  }

  /// Calls `put` with the remaining bytes and the number of
  /// bytes already written, until all bytes are written.
  private func writeAll(
    _ bytes: UnsafeRawBufferPointer, _ put: (UnsafeRawBufferPointer, Int) -> Int
  ) throws(StorageError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = Platform.retrying { put(rest, done) }
      guard count >= 0 else { throw .system("write", path) }
      // A call that writes nothing sets no `errno`, and repeating it might never end.
      guard count > 0 else { throw .system("write", path, number: EIO) }
      done += count
    }
  }

  /// Sets the size of the file in bytes (`ftruncate`).
  package func truncate(to size: Int) throws(StorageError) {
    guard Platform.retrying({ ftruncate(raw, off_t(size)) }) == 0 else {
      throw .system("truncate", path)
    }
  }

  /// Writes `bytes` at the current position, or at the
  /// end if the file was opened for appending (`write`).
  package func write(_ bytes: Data) throws(StorageError) {
    let failure = bytes.withUnsafeBytes { buffer -> StorageError? in
      do throws(StorageError) { try write(buffer) } catch { return error }
      return nil
    }
    if let failure { throw failure }
  }

  /// Flushes all written data to the disk.
  ///
  /// Calls `fsync`, or `F_FULLFSYNC` on Apple systems, whose `fsync` does
  /// not flush the cache of the drive. If flushing fails, the content of
  /// the file on the disk is unknown, so write the data to another file.
  package func synchronize() throws(StorageError) {
    guard Platform.retrying({ Platform.flush(raw) }) == 0 else { throw .system("flush", path) }
  }
}

extension Platform {
  fileprivate static func flush(_ raw: Int32) -> Int32 {
    #if canImport(Darwin)
      // Some file systems do not support `F_FULLFSYNC`.
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
