import Foundation
import UndercroftCore
import UndercroftInspection

/// A row as a block of text, in which each line has the name of a column and its value.
enum RowBlock {
  /// The number of values of a list that are shown.
  private static let maximumLines = 10

  /// Returns a row as lines.
  ///
  /// Each value of a list has its own line. The members of the column "facts" have their own lines
  /// as well, with their own names.
  static func text(_ columns: [String], _ row: [ResultValue]) -> String {
    var lines: [(String, String)] = []
    for (column, value) in zip(columns, row) {
      let heading = ColumnHeading.words(of: column)
      switch value {
      case .absent, .list([]), .object([:]): continue
      case .object(let members) where column == "facts":
        lines += members.sorted { $0.key < $1.key }.map {
          (ValueText.safe($0.key.text), $0.value.brief)
        }
      case .list(let values):
        let shown = values.prefix(maximumLines)
        lines += shown.map { (heading, $0.brief) }
        if values.count > shown.count {
          lines.append((heading, "… and \(values.count - shown.count) more"))
        }
      default: lines.append((heading, value.brief))
      }
    }
    let width = lines.map { DisplayWidth.of($0.0) }.max() ?? 0
    return lines.map { name, text in
      TextStyle.heading.applied(to: name, on: STDOUT_FILENO)
        + String(repeating: " ", count: width - DisplayWidth.of(name)) + "  "
        + (name == "kind" ? TextStyle.kind.applied(to: text, on: STDOUT_FILENO) : text) + "\n"
    }.joined()
  }
}
