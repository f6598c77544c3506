package import UndercroftCore

extension Durability {
  /// Returns the `PRAGMA` statements that configure how a writing connection flushes.
  ///
  /// On Apple systems, `fsync` leaves data in the cache of the disk, which a power failure erases.
  /// `F_FULLFSYNC` flushes this cache as well.
  ///
  /// - Parameter flushesFully: whether SQLite flushes with `F_FULLFSYNC` if the durability requires
  ///   a flush.
  package func pragmas(flushesFully: Bool = Self.needsFullFlush) -> [String] {
    switch self {
    case .processDeath: ["PRAGMA synchronous = NORMAL"]
    case .powerLoss:
      ["PRAGMA synchronous = FULL"]
        + (flushesFully ? ["PRAGMA fullfsync = ON", "PRAGMA checkpoint_fullfsync = ON"] : [])
    }
  }

  /// Whether `fsync` leaves data in the cache of the disk on this system.
  package static var needsFullFlush: Bool {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }
}
