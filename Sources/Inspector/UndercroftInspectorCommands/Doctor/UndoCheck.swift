import Foundation
import UndercroftInspection

/// The check for old values that commands have saved for an undo.
///
/// No command removes the files, because only the user knows when an undo is no longer needed.
enum UndoCheck {
  /// The age in days of the files that the suggestion removes.
  private static let age = 30

  static func findings() -> [Finding] {
    guard let folder = UndoFile.folderPath else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let files = names.filter { $0.hasSuffix(UndoFile.suffix) }
      .compactMap { StoreFile(folder + "/" + $0) }
    guard let oldest = files.map(\.modified).min() else { return [] }
    let count = EnglishText.counted(files.count, "file")
    let size = ByteText.readable(files.reduce(0) { $0 + $1.byteCount })
    let day = oldest.formatted(.iso8601).prefix(10)
    return [
      Finding(
        .note, "undo", "\(count) with old values (\(size), since \(day)) in \(folder)",
        suggestion: """
          to remove those that are older than \(age) days: find \(ShellText.shown(folder)) \
          -name '*\(UndoFile.suffix)' -mtime +\(age) -delete
          """)
    ]
  }
}
