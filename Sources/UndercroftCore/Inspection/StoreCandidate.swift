#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file or folder whose format is asked for, with its first bytes.
///
/// The bytes are read once, for all openers. An opener must not open the file itself: a database may be there that this
/// process has open, and closing any descriptor of a file drops all POSIX locks of the process on it.
public struct StoreCandidate: Sendable {
  /// Reads up to ``startByteCount`` bytes from the beginning of a regular file, or returns `nil` if it cannot be read.
  public typealias Reader = @Sendable (URL) -> Data?

  /// The most bytes that ``start`` has: enough for the header of any format.
  public static let startByteCount = 100

  /// Where the file or folder is.
  public let url: URL
  /// Whether a folder is there.
  public let isFolder: Bool
  /// The first bytes of a regular file; empty for everything else, and for a file that cannot be read.
  public let start: Data

  /// Examines what is at `url`.
  ///
  /// - Parameter reader: reads the first bytes; `nil` reads them through a descriptor that the process has open, or else
  ///   through a new one.
  public init(at url: URL, readingBy reader: Reader? = nil) {
    self.url = url
    let path = url.path(percentEncoded: false)
    var status = stat()
    let exists = stat(path, &status) == 0
    isFolder = exists && status.st_mode & S_IFMT == S_IFDIR
    // A pipe would be waited for.
    guard exists, status.st_mode & S_IFMT == S_IFREG else {
      start = Data()
      return
    }
    start = (reader.map { $0(url) } ?? Self.read(path, status)) ?? Data()
  }

  private static func read(_ path: String, _ status: stat) -> Data? {
    for descriptor in openDescriptors {
      var other = stat()
      guard fstat(descriptor, &other) == 0, other.st_dev == status.st_dev,
        other.st_ino == status.st_ino
      else { continue }
      return read(descriptor)
    }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return read(descriptor)
  }

  private static func read(_ descriptor: Int32) -> Data? {
    var bytes = [UInt8](repeating: 0, count: startByteCount)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count >= 0 ? Data(bytes.prefix(count)) : nil
  }

  /// The descriptors of this process.
  private static var openDescriptors: [Int32] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd") else {
      return Array(0..<Int32(clamping: min(sysconf(Int32(_SC_OPEN_MAX)), 65_536)))
    }
    return names.compactMap { Int32($0) }
  }
}
