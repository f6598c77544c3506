import Foundation
import UndercroftCore

/// The file of a store, which contains names and values as JSON.
///
/// It is an array and not an object, because JSON parsers treat names as equal that differ in their
/// bytes.
enum PaperFile {
  private struct Entry: Codable {
    let name: String
    let value: Data
  }

  static func values(in bytes: Data) throws -> [ExactString: Data] {
    let entries = try JSONDecoder().decode([Entry].self, from: bytes)
    return Dictionary(entries.map { (ExactString($0.name), $0.value) }) { $1 }
  }

  static func bytes(of values: [ExactString: Data]) throws -> Data {
    try JSONEncoder().encode(values.map { Entry(name: $0.key.text, value: $0.value) })
  }

  /// Writes a file and flushes it.
  ///
  /// A write of the system may be partial, and `Data.write(to:)` would not notice this.
  static func store(_ bytes: Data, at url: URL) throws {
    let file = open(url.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw systemError }
    defer { close(file) }
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw systemError }
      rest = Data(rest.dropFirst(count))
    }
    guard fsync(file) == 0 else { throw systemError }
  }

  /// The error of the last system call. (`errno`)
  static var systemError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  /// Returns an error with a code that callers can handle: after `.full`, they can free some space.
  static func failure(_ verb: String, _ url: URL, _ cause: any Error) -> StorageError {
    let number = (cause as? POSIXError)?.code
    let isFull =
      number == .ENOSPC || number == .EDQUOT
      || (cause as? CocoaError)?.code == .fileWriteOutOfSpace
    return StorageError(
      isFull ? .full : .io, "cannot \(verb) \"\(url.path)\": \(cause.localizedDescription)",
      suggestion: isFull ? "free disk space" : nil, backend: "paper", underlying: cause)
  }
}
