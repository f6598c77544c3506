public import Foundation
public import UndercroftCore
public import UndercroftInspection

/// The inspection of a store, which reads the file and changes nothing.
public struct PaperInspection: Inspectable {
  private let values: [ExactString: Data]
  private let byteCount: Int

  public init(of folder: URL) throws(StorageError) {
    let file = folder.appending(path: "paper.json")
    do {
      let bytes = try Data(contentsOf: file)
      values = try PaperFile.values(in: bytes)
      byteCount = bytes.count
    } catch {
      throw PaperFile.failure("open", file, error)
    }
  }

  public func inspect() throws(StorageError) -> InspectionReport {
    InspectionReport(
      format: "paper 1", entryCount: values.count, byteCount: byteCount, isConfidential: false)
  }

  public func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    values.filter { $0.key.text.utf8.starts(with: prefix.utf8) }.sorted { $0.key < $1.key }
      .map { InspectionEntry(name: $0.key.text, byteCount: $0.value.count) }
  }

  public func bytes(of entry: String) throws(StorageError) -> Data? { values[ExactString(entry)] }
}

extension StoreInspectorFactory {
  public static let paper = StoreInspectorFactory(scheme: "paper") { candidate in
    let file = candidate.url.appending(path: "paper.json")
    return candidate.isFolder && FileManager.default.fileExists(atPath: file.path)
  } open: { (folder, _) throws(StorageError) in
    try PaperInspection(of: folder)
  }
}
