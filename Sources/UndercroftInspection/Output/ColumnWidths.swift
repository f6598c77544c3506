/// The widths of the columns of a table on a terminal.
enum ColumnWidths {
  /// The width to which a column is shortened at most.
  private static let narrowest = 8

  /// Returns the widths, of which the largest ones are reduced until their sum is available.
  ///
  /// If all columns of text have the minimum width and their sum is still larger, the terminal
  /// wraps the lines. Narrower columns would not show enough to recognise a value.
  ///
  /// - Parameters:
  ///   - widths: the widths of the complete columns.
  ///   - minimums: the widths below which the columns are not reduced, in addition to the common
  ///     minimum.
  ///   - available: the maximum sum of the widths.
  /// - Complexity: O(*n* log *w*), where *n* is the number of columns and *w* the largest width.
  static func fitting(_ widths: [Int], minimums: [Int], in available: Int) -> [Int] {
    func limited(_ limit: Int) -> [Int] {
      zip(widths, minimums).map { width, minimum in min(width, max(limit, minimum)) }
    }
    var (lower, upper) = (narrowest, max(widths.max() ?? 0, narrowest))
    while lower < upper {
      let middle = lower + (upper - lower + 1) / 2
      if limited(middle).reduce(0, +) <= available {
        lower = middle
      } else {
        upper = middle - 1
      }
    }
    var result = limited(lower)
    // A limit that is larger by one does not fit, so fewer columns remain than there are
    // shortened ones.
    var unused = available - result.reduce(0, +)
    for column in result.indices where unused > 0 && result[column] < widths[column] {
      result[column] += 1
      unused -= 1
    }
    return result
  }
}
