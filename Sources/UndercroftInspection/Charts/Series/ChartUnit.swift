/// The unit of the numbers of a chart, which determines how the numbers are written.
package enum ChartUnit: Sendable {
  /// Numbers without a unit.
  case count
  /// Sizes in bytes, written with decimal prefixes such as `1.5 MB`.
  case bytes

  private static let prefixes = ["kB", "MB", "GB", "TB", "PB", "EB"]

  /// Returns a number with its unit, the same in every locale.
  package func text(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "unknown" : value < 0 ? "−∞" : "∞" }
    switch self {
    case .count: return Self.number(value)
    case .bytes:
      // A size that rounds to 1000 is written with the next prefix.
      guard value.magnitude >= 999.5 else { return "\(Self.number(value.rounded())) B" }
      var scaled = value / 1000
      var prefixes = Self.prefixes[...]
      guard scaled.magnitude < 1e18 else { return "\(value) B" }
      while scaled.magnitude >= 999.95, prefixes.count > 1 {
        scaled /= 1000
        prefixes = prefixes.dropFirst()
      }
      return "\(Self.number((scaled * 10).rounded() / 10)) \(prefixes.first ?? "")"
    }
  }

  /// Returns a share of a total as a percentage with at most one decimal.
  package static func percentage(_ share: Double) -> String {
    guard share.isFinite, share > 0 else { return "0%" }
    if share < 0.0005 { return "<0.1%" }
    return "\(number((share * 1000).rounded() / 10))%"
  }

  private static func number(_ value: Double) -> String {
    if value.magnitude <= SVGNumber.limit { return SVGNumber.text(value) }
    // The decimal form of a larger number would be long.
    return value.magnitude < 1e15 ? "\(Int64(value.rounded()))" : "\(value)"
  }
}
