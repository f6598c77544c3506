/// The arrangement of the cells of a table in lines of a maximum width.
enum TableLayout: Equatable {
  /// One line for each row, with the widths of the columns. The last cell may have several lines.
  case columns([Int], wrapsLast: Bool)
  /// One line for each row, and the cell of the last column in the lines below it.
  case lastBelow([Int])
  /// One block for each row, in which each cell has a line with the name of its column.
  case blocks

  /// The number of spaces between two columns.
  static let gap = 2

  /// The widths below which columns are not shortened, because narrower columns do not show enough
  /// to recognise a value.
  fileprivate struct Minimums {
    let text: Int
    let name: Int
    let kind: Int
  }

  /// The minimum widths from the preferred to the narrowest ones, before rows become blocks.
  private static let minimums = [
    Minimums(text: 16, name: .max, kind: .max), Minimums(text: 16, name: 24, kind: .max),
    Minimums(text: 8, name: .max, kind: .max), Minimums(text: 8, name: 12, kind: 12),
  ]
  /// The minimum width of a column in which sentences are wrapped.
  private static let narrowestSentence = 24

  /// The columns of a table.
  struct Columns {
    let roles: [ColumnRole]
    /// The widths of the columns with their names.
    let widths: [Int]
    /// The widths of the columns without their names.
    let cellWidths: [Int]
    let isNumeric: [Bool]
  }

  /// Selects the first arrangement whose lines are not wider than the maximum width.
  ///
  /// Sentences are wrapped before other cells are shortened, and other texts are shortened before
  /// names.
  init(_ columns: Columns, in width: Int?) {
    let widths = columns.widths
    guard let width, Self.sum(widths) > width else {
      self = .columns(widths, wrapsLast: false)
      return
    }
    let endsInSentence = columns.roles.last == .sentence && widths.count > 1
    let others = endsInSentence ? Array(widths.dropLast()) : widths
    if endsInSentence {
      let rest = width - Self.sum(others) - Self.gap
      if rest >= Self.narrowestSentence {
        self = .columns(others + [rest], wrapsLast: true)
        return
      }
      if Self.sum(others) <= width {
        self = .lastBelow(others)
        return
      }
    }
    let available = width - Self.gap * max(0, others.count - 1)
    for minimums in Self.minimums {
      let widths = others.indices.map { columns.minimum($0, minimums) }
      guard let fitting = ColumnWidths.fitting(others, minimums: widths, in: available) else {
        continue
      }
      self = endsInSentence ? .lastBelow(fitting) : .columns(fitting, wrapsLast: false)
      return
    }
    self = .blocks
  }

  private static func sum(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + gap * max(0, widths.count - 1)
  }
}

extension TableLayout.Columns {
  /// Returns the width below which a column is not shortened.
  ///
  /// A shortened number would look like another number.
  fileprivate func minimum(_ column: Int, _ minimums: TableLayout.Minimums) -> Int {
    if isNumeric[column] { return max(cellWidths[column], min(widths[column], minimums.text)) }
    let minimum =
      switch roles[column] {
      case .kind: minimums.kind
      case .name: minimums.name
      default: minimums.text
      }
    return min(widths[column], minimum)
  }
}
