import Foundation
import UndercroftCore
import UndercroftFileSystem

/// A file to which a command writes a chart.
enum ChartFile {
  /// Writes a chart to a new file, or to standard output if the path is `nil` or "-".
  ///
  /// - Throws: ``StorageError/Code/accessDenied`` or ``StorageError/Code/io`` if the file exists or
  ///   cannot be created.
  static func write(_ chart: String, to path: String?) throws {
    guard let path, path != "-" else { return try Output.bytes(Data(chart.utf8)) }
    let item = try NewItem(at: path)
    let file = try Descriptor(
      opening: item.temporaryPath, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode: 0o666)
    try file.write(Data(chart.utf8))
    try file.synchronize()
    try item.commit()
  }
}
