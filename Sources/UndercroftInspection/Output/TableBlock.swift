/// Text of one row, in which each value has a line that begins with the name of its column.
package enum TableBlock {
  /// A name and its value on one line, in which control characters are escaped.
  package struct Line {
    let name: String
    let value: String
    let style: TextStyle?
    let isWrapped: Bool

    /// Creates a line.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - value: the value.
    ///   - style: the style of the value, or `nil` for none.
    ///   - isWrapped: whether a value that is too wide is wrapped.
    package init(
      _ name: String, _ value: String, style: TextStyle? = nil, isWrapped: Bool = true
    ) {
      self.name = name
      self.value = value
      self.style = style
      self.isWrapped = isWrapped
    }
  }

  /// Returns the lines, in which the values are aligned.
  ///
  /// A value that is too wide is wrapped. A name that leaves too little space for its value stands
  /// above the value.
  ///
  /// - Parameters:
  ///   - lines: the names and values.
  ///   - width: the maximum number of columns of a line, or `nil` for no limit.
  ///   - isColored: whether the text contains escape sequences that colour it.
  ///   - maximumLines: the maximum number of lines of a value, or `nil` for no limit.
  package static func text(
    _ lines: [Line], width: Int?, isColored: Bool, maximumLines: Int? = nil
  ) -> String {
    // Names have at most a third of the line, so that long values have enough space.
    let limit = width.map { max(1, $0 / 3) } ?? .max
    let nameWidths = lines.map { DisplayWidth.of($0.name) }
    let nameWidth = nameWidths.filter { $0 <= limit }.max() ?? 0
    let indent = nameWidth + TableLayout.gap
    let indentation = String(repeating: " ", count: indent)
    return zip(lines, nameWidths).map { line, ownWidth -> String in
      func styled(_ piece: String, _ style: TextStyle?) -> String {
        isColored ? style?.applied(to: piece) ?? piece : piece
      }
      let first = max(ownWidth, nameWidth) + TableLayout.gap
      let padding = String(repeating: " ", count: first - ownWidth)
      let start = styled(line.name, .heading) + padding
      guard let width, line.isWrapped, first + DisplayWidth.of(line.value) > width else {
        return start + styled(line.value, line.style) + "\n"
      }
      let pieces = DisplayWidth.wrapped(
        line.value, to: max(1, width - indent), maximumLines: maximumLines)
      let rest = pieces.map { indentation + styled($0, line.style) + "\n" }
      guard ownWidth <= nameWidth else {
        let name = DisplayWidth.wrapped(line.name, to: width).map { styled($0, .heading) + "\n" }
        return name.joined() + rest.joined()
      }
      return start + styled(pieces[0], line.style) + "\n" + rest.dropFirst().joined()
    }.joined()
  }
}
