public import UndercroftCore
public import UndercroftFoundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file or folder that may be a store, with the first bytes of a file.
///
/// The bytes are read once for all factories. A factory must not open the file itself. The file may
/// be a database that this process has open, and closing any file descriptor of a file releases all
/// POSIX locks of the process on it.
public struct StoreCandidate: Sendable {
  /// A closure that returns up to ``startByteCount`` bytes from the beginning of a regular file, or
  /// `nil` if the closure does not support the path, and throws the error of the operating system
  /// if the file cannot be read.
  public typealias Reader = @Sendable (URL) throws(StorageError) -> Data?

  /// The maximum size of ``start`` in bytes, which is enough for the header of any format.
  public static let startByteCount = 512

  /// The location of the file or folder.
  public let url: URL
  /// Whether the candidate is a folder.
  public let isFolder: Bool
  /// The first bytes of a regular file, or no bytes for a folder or a file that cannot be read.
  public let start: Data
  /// The error of reading the first bytes, or `nil` if they were read, or if the candidate is not a
  /// regular file.
  package let readError: StorageError?

  /// Creates a candidate from the file or folder at `url`, and reads the first bytes of a file.
  ///
  /// - Parameters:
  ///   - url: the location of the file or folder.
  ///   - reader: reads the first bytes. If `reader` is `nil`, the bytes are read through a file
  ///     descriptor that the process already has open for the file, or through a new file
  ///     descriptor.
  public init(at url: URL, readingBy reader: Reader? = nil) {
    self.url = url
    let path = url.path(percentEncoded: false)
    var status = stat()
    let exists = stat(path, &status) == 0
    isFolder = exists && status.st_mode & S_IFMT == S_IFDIR
    // Opening a FIFO would block.
    guard exists, status.st_mode & S_IFMT == S_IFREG else {
      (start, readError) = (Data(), nil)
      return
    }
    do throws(StorageError) {
      let bytes: Data? = if let reader { try reader(url) } else { try Self.read(path, status) }
      (start, readError) = (bytes ?? Data(), nil)
    } catch {
      (start, readError) = (Data(), error)
    }
  }

  private static func read(_ path: String, _ status: stat) throws(StorageError) -> Data {
    for descriptor in openDescriptors {
      var other = stat()
      guard fstat(descriptor, &other) == 0, other.st_dev == status.st_dev,
        other.st_ino == status.st_ino
      else { continue }
      return try read(descriptor, path)
    }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("read", path) }
    defer { close(descriptor) }
    return try read(descriptor, path)
  }

  private static func read(_ descriptor: Int32, _ path: String) throws(StorageError) -> Data {
    var bytes = [UInt8](repeating: 0, count: startByteCount)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw .system("read", path) }
    return Data(bytes.prefix(count))
  }

  /// The open file descriptors of this process.
  ///
  /// If `/dev/fd` cannot be listed, the result is every possible descriptor below the process limit
  /// and below 65,536, and so also contains numbers without an open file.
  private static var openDescriptors: [Int32] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd") else {
      return Array(0..<Int32(clamping: min(sysconf(Int32(_SC_OPEN_MAX)), 65_536)))
    }
    return names.compactMap { Int32($0) }
  }
}
