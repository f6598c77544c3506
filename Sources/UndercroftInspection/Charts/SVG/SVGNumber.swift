/// A formatter of numbers for SVG, whose output never depends on a locale.
package enum SVGNumber {
  /// The largest magnitude that is written, so that a number always fits into an integer.
  package static let limit = 1e9

  /// Returns a number with at most two decimals, such as `12.5`.
  ///
  /// Returns `0` for a number that is not finite, because such a number is an error in SVG.
  /// A number whose magnitude exceeds `limit` is replaced by `limit`.
  package static func text(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let hundredths = Int((min(max(value, -limit), limit) * 100).rounded())
    let magnitude = hundredths.magnitude
    let sign = hundredths < 0 ? "-" : ""
    let fraction = magnitude % 100
    let whole = "\(sign)\(magnitude / 100)"
    if fraction == 0 { return whole }
    if fraction % 10 == 0 { return "\(whole).\(fraction / 10)" }
    return fraction < 10 ? "\(whole).0\(fraction)" : "\(whole).\(fraction)"
  }
}
