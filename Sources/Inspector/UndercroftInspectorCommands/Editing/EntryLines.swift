import Foundation
import UndercroftCore

/// The entries in a text of one JSON object a line, which can be an undo file.
struct EntryLines {
  /// The path of the text for error messages.
  let path: String
  /// The header of the undo file, or `nil` if the text has none.
  private(set) var header: UndoHeader?
  private(set) var entries: [(number: Int, entry: EntryLine)] = []

  /// Reads all lines; empty lines are ignored.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` with the number of the first invalid line.
  init(_ content: Data, from path: String) throws(StorageError) {
    self.path = path
    let text = content.withoutByteOrderMark
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let isBlank = line.allSatisfy { [UInt8(ascii: " "), 9, 13].contains($0) }
      if isBlank { continue }
      // A copy, because a slice does not begin at index 0.
      let line = Data(line)
      do {
        entries.append((index + 1, try JSONCodec().decode(EntryLine.self, from: line)))
      } catch {
        // Undo files that were joined have several headers.
        if let header = try? JSONCodec().decode(UndoHeader.self, from: line) {
          self.header = self.header ?? header
        } else if let defect = error as? EntryLine.Defect {
          throw invalid(index + 1, defect.reason)
        } else {
          throw invalid(index + 1, "the line is not a JSON object", error)
        }
      }
    }
  }

  /// Returns the error for an invalid line.
  func invalid(
    _ number: Int, _ reason: String, _ underlying: (any Error)? = nil
  ) -> StorageError {
    StorageError(
      .decodingFailed, "cannot import \(quoted(path)): line \(number): \(reason)",
      suggestion: "correct the line, and repeat the command; nothing was changed",
      underlying: underlying)
  }
}
