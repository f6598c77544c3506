import Foundation

/// The operations of a key-value store that are measured: of the raw C library or of a peer
/// library.
///
/// All stores do the same work on the same names and bytes. A store omits what it does not support.
protocol KeyedStore: AnyObject, SendableMetatype {
  init(at url: URL) throws
  func get(_ index: Int) throws -> Int
  func set(_ index: Int, _ value: Data) throws
  /// Sets all values, atomically if the store supports this.
  func setBatch(_ values: [Data]) throws
}

/// The names and values that the benchmarks store in every store.
enum Sample {
  static let count = 1_000
  static let names = (0..<count).map { "reader/\($0)/preference" }

  /// Values of 20 to 220 bytes, because the size of a setting usually changes when it is replaced.
  static let values = (0..<count).map { bytes(20 + $0 * 37 % 201, seed: $0) }
  /// Values that all have 100 bytes, which a store can overwrite in place.
  static let uniformValues = (0..<count).map { bytes(100, seed: $0) }

  private static func bytes(_ count: Int, seed: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed) })
  }

  /// Returns different values for successive rounds, because a batch that changes nothing would
  /// measure nothing.
  static func changed(_ round: Int) -> [Data] { round % 2 == 0 ? values : values.reversed() }

  /// An order without a pattern that a cache could predict, which is the same in each run.
  static let order: [Int] = {
    var state: UInt64 = 42
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
  }()
}
