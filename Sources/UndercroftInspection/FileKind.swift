import UndercroftFoundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The kind of a file at a path, determined without opening it, because opening a FIFO would block.
enum FileKind: Equatable {
  /// Nothing exists at the path.
  case absent
  /// The file cannot be read, or the system cannot report whether a file exists.
  ///
  /// The number is the value of `errno`, such as `EACCES`.
  case unreadable(number: Int32)
  /// A readable regular file of `size` bytes.
  case file(size: Int)
  /// A readable folder.
  case folder
  /// A device, a FIFO or a socket.
  case other

  /// Determines the kind of the file to which `url` leads. (`stat`, `access`)
  init(_ url: URL) {
    var path = url.path(percentEncoded: false)
    // With a slash at the end, the path of a regular file would be invalid.
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
      path.unicodeScalars.removeLast()
    }
    // The system would read the path only up to the NUL, and so find another file.
    if path.utf8.contains(0) {
      self = .absent
      return
    }
    var status = stat()
    guard Self.retrying({ stat(path, &status) }) == 0 else {
      let number = errno
      self = [ENOENT, ENOTDIR].contains(number) ? .absent : .unreadable(number: number)
      return
    }
    guard Self.retrying({ access(path, R_OK) }) == 0 else {
      self = .unreadable(number: errno)
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file(size: Int(status.st_size))
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }

  /// Repeats `call` while a signal interrupts it. (`EINTR`)
  private static func retrying(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result == 0 || errno != EINTR { return result }
    }
  }
}
