/// An event of one entry of a watched folder.
package enum FolderEvent: Sendable, Equatable {
  /// The entry was created or written, or moved into the watched folder from another folder.
  case changed(String)
  /// The entry was removed, or moved to another folder.
  case removed(String)
  /// The entry was renamed within the folder; a file that had the new name no longer exists.
  case renamed(from: String, to: String)
  /// Any entry may have changed: events were lost, the
  /// folder was removed, or the system reports no names.
  case unknown
}

#if !canImport(Darwin)
  /// A decoder of the records of inotify(7) into events.
  struct FolderEventDecoder {
    private static let isMovedFrom: UInt32 = 0x0000_0040
    private static let isMovedTo: UInt32 = 0x0000_0080
    private static let isRemoved: UInt32 = 0x0000_0200
    private static let hasOverflowed: UInt32 = 0x0000_4000
    private static let isIgnored: UInt32 = 0x0000_8000
    private static let isFolder: UInt32 = 0x4000_0000
    /// The maximum number of renames that wait for their second event (`IN_MOVED_TO`).
    ///
    /// The second event usually follows immediately. If the maximum
    /// is exceeded, the rename with the lowest cookie is discarded.
    private static let maximumMoves = 64

    private struct Move {
      let name: String
      var isReported = false
    }

    private var events: [FolderEvent] = []
    /// The renames whose second event (`IN_MOVED_TO`) has not been read, keyed by cookie.
    private var moves: [UInt32: Move] = [:]

    /// Decodes the complete records that one call of `read` has returned.
    mutating func add(_ records: UnsafeRawBufferPointer) {
      var reader = ByteReader(records)
      while reader.number(Int32.self) != nil, let mask = Self.number(&reader),
        let cookie = Self.number(&reader), let size = Self.number(&reader),
        let padded = reader.take(Int(size))
      {
        add(String(decoding: padded.prefix { $0 != 0 }, as: UTF8.self), mask, cookie)
      }
    }

    /// Reads a number in the byte order of this machine, or returns `nil` if too few bytes remain.
    private static func number(_ reader: inout ByteReader) -> UInt32? {
      reader.number(UInt32.self)?.littleEndian
    }

    private mutating func add(_ name: String, _ mask: UInt32, _ cookie: UInt32) {
      if mask & (Self.hasOverflowed | Self.isIgnored) != 0 {
        events.append(.unknown)
      } else if mask & Self.isMovedFrom != 0 {
        if moves.count >= Self.maximumMoves, let oldest = moves.keys.min() { moves[oldest] = nil }
        moves[cookie] = Move(name: name)
      } else if mask & Self.isMovedTo != 0 {
        let from = moves.removeValue(forKey: cookie)?.name
        events.append(from.map { .renamed(from: $0, to: name) } ?? .changed(name))
      } else if mask & Self.isFolder != 0 {
        // Ignored, because a created or removed folder is empty.
      } else if mask & Self.isRemoved != 0 {
        events.append(.removed(name))
      } else {
        events.append(.changed(name))
      }
    }

    /// Returns the events decoded so far, and clears them.
    ///
    /// An entry that was moved counts as removed unless
    /// its new name in the watched folder is known.
    mutating func takeEvents() -> [FolderEvent] {
      for (cookie, move) in moves where !move.isReported {
        events.append(.removed(move.name))
        moves[cookie]?.isReported = true
      }
      defer { events = [] }
      return events
    }
  }
#endif
