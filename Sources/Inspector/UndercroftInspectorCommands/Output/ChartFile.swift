import Foundation
import UndercroftCore

/// A file to which a command writes a chart.
enum ChartFile {
  /// Writes a chart to a new file, or to standard output if the path is "-".
  ///
  /// - Throws: ``StorageError/Code/accessDenied`` or ``StorageError/Code/io`` if the file exists or
  ///   cannot be created.
  static func write(_ chart: String, to path: String) throws {
    if path == "-" { return try Output.bytes(Data(chart.utf8)) }
    do {
      try Data(chart.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
    } catch {
      let exists = FileManager.default.fileExists(atPath: path)
      throw StorageError(
        .io,
        "cannot create \(quoted(path)): "
          + (exists ? "the file exists already" : error.localizedDescription),
        suggestion: exists
          ? "remove the file, or pass another path"
          : "pass the path of a file in a folder that exists",
        underlying: error)
    }
  }
}
