/// The linear scale of an axis that begins at zero.
package struct AxisScale: Sendable {
  private static let smallest = 1e-9
  private let maximum: Double

  /// Creates a scale whose full length represents `maximum`.
  package init(maximum: Double) {
    self.maximum = maximum > 0 ? min(maximum, .greatestFiniteMagnitude) : 0
  }

  /// Returns the length that represents a number, as a fraction of the full length.
  package func fraction(_ value: Double) -> Double {
    guard value > 0, maximum > 0 else { return 0 }
    return min(value, maximum) / maximum
  }

  /// The numbers at which the axis is labelled, in ascending order.
  package var ticks: [Double] {
    guard maximum >= Self.smallest else { return [0] }
    let quarter = maximum / 4
    var power = 1.0
    while power > quarter { power /= 10 }
    while power <= quarter / 10 { power *= 10 }
    var step = power * 10
    // Counts have no fractions, such as multiples of 2.5.
    let factors = power >= 10 ? [1, 2, 2.5, 5] : [1.0, 2, 5]
    if let factor = factors.first(where: { power * $0 >= quarter }) { step = power * factor }
    if maximum >= 1 { step = max(step, 1) }
    return (0...4).map { step * Double($0) }.filter { $0 <= maximum }
  }
}
