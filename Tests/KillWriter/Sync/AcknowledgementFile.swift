import Foundation
import UndercroftCore

/// A text file in which a client records the events of its work.
///
/// Each line is flushed to the disk before ``append(_:)`` returns.
struct AcknowledgementFile {
  private let file: FileHandle
  private let url: URL

  init(at url: URL) throws {
    self.url = url
    let descriptor = open(url.path(), O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else { throw StorageError.system("open", url.path()) }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Returns the number of the last acknowledged transaction, or 0 if there is none.
  func lastAcknowledged() throws -> Int64 {
    try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("A ") }.compactMap { Int64($0.dropFirst(2)) }.max() ?? 0
  }

  func append(_ line: String) throws {
    try file.write(contentsOf: Data((line.replacing("\n", with: " ") + "\n").utf8))
    try file.synchronize()
  }
}
