import UndercroftInspection

/// The headings of the columns of commands in output for people.
enum ColumnHeading {
  /// Returns the name of a column as words.
  ///
  /// "isConfidential" becomes "confidential", and "appliedAt" becomes "applied at". Programs read
  /// the names themselves.
  static func words(of column: String) -> String {
    let text = column.replacingScalars { scalar in
      ("A"..."Z").contains(scalar) ? " " + scalar.properties.lowercaseMapping : nil
    }
    return text.hasPrefix("is ") ? String(text.dropFirst(3)) : text
  }
}
