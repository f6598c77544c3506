package import UndercroftCore
import UndercroftFoundation

/// The batches that a writer applies until it is killed.
///
/// Each batch depends only on the seed and the number of the batch, so that
/// parent and child process compute the same batches without communication.
package struct KillSeries: Sendable {
  /// The seed, which determines all batches of the series.
  package let seed: UInt64

  /// The number of names in a large batch.
  package static let batchSize = 50

  /// Creates the series of batches that `seed` determines.
  package init(seed: UInt64) { self.seed = seed }

  /// Returns the batch with the given number: one change, or one
  /// change for each of the ``batchSize`` names of large batches.
  package func batch(_ number: Int) -> [StorageChange] {
    var random = SeededGenerator(
      seed: seed ^ UInt64(truncatingIfNeeded: number) &* 0x2545_f491_4f6c_dd1d)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<60:
      return [.set("loan/\(Int.random(in: 0..<40, using: &random))", value(number, &random))]
    case 60..<70:
      return [.remove("loan/\(Int.random(in: 0..<40, using: &random))")]
    case 70..<95:
      return (0..<Self.batchSize).map { .set("batch/\($0)", value(number, &random)) }
    default:
      return (0..<Self.batchSize).map { .remove("batch/\($0)") }
    }
  }

  private func value(_ number: Int, _ random: inout SeededGenerator) -> Data {
    let isLarge = Int.random(in: 0..<100, using: &random) == 0
    let count = Int.random(in: 0...(isLarge ? 60_000 : 300), using: &random)
    // The number makes every value unique, so that an old value is not mistaken for a new one.
    var bytes = Data("\(number):".utf8)
    for _ in 0..<count / 8 { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
    return bytes
  }
}
