/// The size of the box of a table and the positions of the rows in it.
struct EntityBox {
  static let headerHeight = 26.0
  static let rowHeight = 19.0
  static let padding = 8.0
  private static let widths = 110.0...340.0
  private static let markWidth = 22.0
  /// The maximum number of columns that are shown; a last row names the number of the others.
  private static let maximumRowCount = 60

  let width: Double
  let height: Double
  /// The number of columns that are shown.
  let rowCount: Int
  /// The number of columns that are not shown.
  let hiddenCount: Int
  /// The distance of the names of columns from the left edge.
  let nameOffset: Double
  /// The width that is available for the names of columns.
  let nameWidth: Double
  /// The width that is available for the types of columns.
  let typeWidth: Double

  init(_ table: EntityDiagram.Table, marks: [[String]]) {
    let shown = table.columns.prefix(Self.maximumRowCount)
    rowCount = shown.count
    hiddenCount = table.columns.count - shown.count
    let rows = rowCount + (hiddenCount > 0 ? 1 : 0)
    height = Self.headerHeight + Self.rowHeight * Double(rows) + (rows > 0 ? 4 : 0)
    let markCount = marks.prefix(Self.maximumRowCount).map(\.count).max() ?? 0
    nameOffset = Self.padding + Self.markWidth * Double(markCount)
    let types = shown.map { SVGTextMetrics.width($0.type, upTo: 110) }.max() ?? 0
    let names = shown.map { SVGTextMetrics.width($0.name, Self.style($0), upTo: 200) }.max() ?? 0
    let gap = types > 0 ? 12.0 : 0
    let content = nameOffset + names + gap + types + Self.padding
    let header = SVGTextMetrics.width(table.name, .strong, upTo: 400) + 2 * Self.padding
    width = min(max(content, header, Self.widths.lowerBound), Self.widths.upperBound).rounded(.up)
    typeWidth = types
    nameWidth = max(width - nameOffset - gap - types - Self.padding, 0)
  }

  /// Returns the class of the name of a column.
  static func style(_ column: EntityDiagram.Column) -> SVGClass {
    column.isPrimaryKey ? .strong : .label
  }

  /// Returns the distance of the centre of a row from the upper edge.
  ///
  /// - Parameter column: the position of the column. If it is `nil` or the column
  ///   is not shown, returns the centre of the header.
  func rowCenter(_ column: Int?) -> Double {
    guard let column, column < rowCount else { return Self.headerHeight / 2 }
    return Self.headerHeight + Self.rowHeight * (Double(column) + 0.5)
  }
}
