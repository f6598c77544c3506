/// The scale of an axis that begins at zero.
package struct AxisScale: Sendable {
  /// The relation of numbers to lengths.
  package enum Kind: Sendable {
    /// Lengths are proportional to the numbers.
    case linear
    /// Lengths are proportional to the logarithms of the numbers plus one.
    case logarithmic
  }

  private static let smallest = 1e-9
  private let kind: Kind
  private let maximum: Double

  /// Creates a scale whose full length represents `maximum`.
  package init(_ kind: Kind, maximum: Double) {
    self.kind = kind
    self.maximum = maximum > 0 ? min(maximum, .greatestFiniteMagnitude) : 0
  }

  /// Returns the length that represents a number, as a fraction of the full length.
  package func fraction(_ value: Double) -> Double {
    guard value > 0, maximum > 0 else { return 0 }
    let value = min(value, maximum)
    guard kind == .logarithmic, maximum >= Self.smallest else { return value / maximum }
    return min(Self.binaryLogarithm(1 + value) / Self.binaryLogarithm(1 + maximum), 1)
  }

  /// The numbers at which the axis is labelled, in ascending order.
  package var ticks: [Double] {
    guard maximum >= Self.smallest else { return [0] }
    return switch kind {
    case .linear: linearTicks
    case .logarithmic: logarithmicTicks
    }
  }

  private var linearTicks: [Double] {
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

  private var logarithmicTicks: [Double] {
    var powers: [Double] = []
    var power = 1.0
    while power <= maximum {
      powers.append(power)
      power *= 10
    }
    let interval = max((powers.count + 5) / 6, 1)
    return [0] + stride(from: 0, to: powers.count, by: interval).map { powers[$0] }
  }

  /// Returns the logarithm to base 2 of a number that is at least 1.
  ///
  /// The functions of the C libraries differ in the last digits. The series gives equal
  /// documents on all systems.
  private static func binaryLogarithm(_ value: Double) -> Double {
    let ratio = (value.significand - 1) / (value.significand + 1)
    var power = ratio
    var sum = 0.0
    for divisor in stride(from: 1.0, through: 29, by: 2) {
      sum += power / divisor
      power *= ratio * ratio
    }
    return Double(value.exponent) + 2 * sum / 0.693_147_180_559_945_3
  }
}
