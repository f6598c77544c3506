import Foundation

/// What is measured of one keyed store: ours through `Storage`, the raw C library, or a peer.
///
/// All do the same work on the same names and bytes. A store that cannot do one of them leaves it out.
protocol KeyedStore: AnyObject, SendableMetatype {
  init(at url: URL) throws
  func get(_ index: Int) throws -> Int
  func set(_ index: Int, _ value: Data) throws
  /// Sets all values, whole or not at all, where the store can.
  func setBatch(_ values: [Data]) throws
}

/// The names and values that every store is given.
enum Sample {
  static let count = 1_000
  static let names = (0..<count).map { "reader/\($0)/preference" }
  static let values = (0..<count).map { index in
    Data((0..<100).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) })
  }

  /// Other values in each round: a batch that changes nothing would prove nothing.
  static func changed(_ round: Int) -> [Data] { round % 2 == 0 ? values : values.reversed() }

  /// An order without a pattern that a cache could follow, the same in each run.
  static let order: [Int] = {
    var state: UInt64 = 42
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
  }()
}
