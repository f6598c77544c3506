import UndercroftInspection

/// Sizes as text for people.
enum ByteText {
  /// Returns a size with a unit, such as "3.2 MB".
  static func readable(_ byteCount: Int) -> String { ChartUnit.bytes.text(Double(byteCount)) }

  /// Returns a size in an output format: as text with a unit for people, and otherwise as a number.
  static func value(_ byteCount: Int?, in format: OutputFormat) -> ResultValue {
    guard format.isForPeople else { return ResultValue(byteCount) }
    return ResultValue(byteCount.map(readable))
  }

  /// Returns a share of a total, such as "12.5%".
  static func share(_ part: Int, of total: Int) -> String {
    total > 0 ? ChartUnit.percentage(Double(part) / Double(total)) : "-"
  }
}
