import Foundation
import UndercroftCore
import UndercroftFileSystem

/// A file to which text is written in pieces of at least 64 KiB.
struct BufferedFile {
  private static let chunkSize = 1 << 16

  private final class File: Sendable {
    let descriptor: Descriptor

    init(_ path: String) throws(StorageError) {
      descriptor = try Descriptor(opening: path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW)
    }
  }

  private var text = ""
  private let file: File?

  /// Creates a file with mode 0600, or a buffer of standard output if `path` is `nil`.
  init(_ path: String?) throws(StorageError) { file = try path.map(File.init) }

  mutating func write(_ text: String) throws {
    self.text += text
    if self.text.utf8.count >= Self.chunkSize { try flush() }
  }

  mutating func flush() throws {
    let bytes = Data(text.utf8)
    text = ""
    guard let file else { return try Output.bytes(bytes) }
    try OutputFailure.converting { () throws(StorageError) in try file.descriptor.write(bytes) }
  }

  func synchronize() throws(OutputFailure) {
    guard let file else { return }
    try OutputFailure.converting { () throws(StorageError) in try file.descriptor.synchronize() }
  }
}
