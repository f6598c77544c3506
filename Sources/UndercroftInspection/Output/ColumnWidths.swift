/// The widths of the columns of a table whose lines have a maximum width.
enum ColumnWidths {
  /// Returns the widths, of which the largest ones are reduced until their sum is available, or
  /// `nil` if the minimum widths are not available.
  ///
  /// - Parameters:
  ///   - widths: the widths of the complete columns.
  ///   - minimums: the widths below which the columns are not reduced.
  ///   - available: the maximum sum of the widths.
  /// - Complexity: O(*n* log *w*), where *n* is the number of columns and *w* the largest width.
  static func fitting(_ widths: [Int], minimums: [Int], in available: Int) -> [Int]? {
    func limited(_ limit: Int) -> [Int] {
      zip(widths, minimums).map { width, minimum in min(width, max(limit, minimum)) }
    }
    guard limited(0).reduce(0, +) <= available else { return nil }
    var (lower, upper) = (0, widths.max() ?? 0)
    while lower < upper {
      let middle = lower + (upper - lower + 1) / 2
      if limited(middle).reduce(0, +) <= available {
        lower = middle
      } else {
        upper = middle - 1
      }
    }
    var result = limited(lower)
    // A limit that is larger by one does not fit, so the unused width is smaller than the number of
    // shortened columns.
    var unused = available - result.reduce(0, +)
    for column in result.indices where unused > 0 && result[column] < widths[column] {
      result[column] += 1
      unused -= 1
    }
    return result
  }
}
