/// A labelled number of a chart.
package struct ChartValue: Sendable, Equatable {
  package var label: String
  package var value: Double

  /// Creates a labelled number; any number is accepted.
  package init(_ label: String, _ value: Double) {
    self.label = label
    self.value = value
  }

  /// The length or area that represents the number: finite, and zero instead of a negative number.
  package var magnitude: Double {
    value > 0 ? min(value, .greatestFiniteMagnitude) : 0
  }
}

extension Sequence<ChartValue> {
  /// The fractions of the sum of all magnitudes, which are zero if the sum is zero.
  package var shares: [Double] {
    let magnitudes = map(\.magnitude)
    guard let largest = magnitudes.max(), largest > 0 else { return magnitudes.map { _ in 0 } }
    // The sum of the ratios cannot overflow, unlike the sum of the magnitudes.
    let ratios = magnitudes.map { $0 / largest }
    let sum = ratios.reduce(0, +)
    return ratios.map { $0 / sum }
  }
}
