import Foundation
import UndercroftInspection

/// The check for old values that commands have saved for an undo.
///
/// No command removes the files, because only the user knows when an undo is no longer needed.
enum UndoCheck {
  /// The age in days of the files that the suggestion removes.
  private static let age = 30

  static func findings() -> [Finding] {
    let files = UndoFile.all
    guard let folder = UndoFile.folderPath, let oldest = files.last?.modified else { return [] }
    let count = EnglishText.counted(files.count, "file")
    let size = ByteText.readable(files.reduce(0) { $0 + $1.byteCount })
    let day = oldest.formatted(.iso8601).prefix(10)
    return [
      Finding(
        .note, "undo", "\(count) with old values (\(size), since \(day)) in \(folder)",
        suggestion: """
          to list them: undercroft undo; to remove those that are older than \(age) days: find \(ShellText.shown(folder)) \
          -name '*\(UndoFile.suffix)' -mtime +\(age) -delete
          """)
    ]
  }
}
