import UndercroftCore
import UndercroftInspection

/// A row as a block of text, in which each line has the name of a column and its value.
enum RowBlock {
  /// The number of values of a list that are shown.
  private static let maximumLines = 10
  /// The headings of values with paths, which are not wrapped, so that a user can copy them.
  private static let pathHeadings: Set = ["path", "location", "file", "files", "locks"]

  /// Returns a row as lines.
  ///
  /// Each value of a list has its own line. The members of the column "facts" have their own lines
  /// as well, with their own names.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns.
  ///   - row: one value for each column.
  ///   - options: the options that limit the width and select colours.
  static func text(
    _ columns: [String], _ row: [ResultValue], _ options: OutputOptions
  ) -> String {
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
    return TableBlock.text(
      lines.map {
        TableBlock.Line(
          $0, $1, style: $0 == "kind" ? .kind : nil, isWrapped: !pathHeadings.contains($0))
      },
      width: options.width, isColored: options.isColored)
  }
}
