import Foundation
import UndercroftCore
import UndercroftInspection

/// The inspection of a file of another application, in which each line is a note with a title.
struct NotebookInspection: Inspectable {
  static let start = Data("notebook 1\n".utf8)

  private let notes: [(title: String, text: String)]
  private let byteCount: Int

  init(of file: URL) throws(StorageError) {
    guard let bytes = try? Data(contentsOf: file) else {
      throw StorageError(.io, "cannot read \(file.path)")
    }
    byteCount = bytes.count
    notes = String(decoding: bytes.dropFirst(Self.start.count), as: UTF8.self)
      .split(separator: "\n").map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
      }
      .sorted { $0.title < $1.title }
  }

  func inspect() throws(StorageError) -> InspectionReport {
    InspectionReport(
      format: "notebook 1", entryCount: notes.count, byteCount: byteCount, isConfidential: false)
  }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    notes.filter { $0.title.hasPrefix(prefix) }
      .map { InspectionEntry(name: $0.title, byteCount: $0.text.utf8.count) }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? {
    notes.first { $0.title == entry }.map { Data($0.text.utf8) }
  }
}

extension StoreInspectorFactory {
  static let notebook = StoreInspectorFactory(scheme: "notebook") { candidate in
    candidate.start.starts(with: NotebookInspection.start)
  } open: { (file, _) throws(StorageError) in
    try NotebookInspection(of: file)
  }
}
