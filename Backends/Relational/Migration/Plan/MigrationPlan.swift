import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a migration would do.
public struct MigrationPlan: Sendable, CustomStringConvertible {
  /// The version that the database has; `nil` for a new one.
  public let from: String?
  /// The version that it is to have.
  public let to: String
  /// The steps in the order in which they would run; none for a new database, and for one that is there already.
  public let moves: [MigrationMove]
  /// Which adoption has told the version; `nil` where the file records it.
  public let adoption: String?
  /// Whether a migration had begun and not ended: it would go on.
  public let isUnfinished: Bool
  /// The copy that would be made first, or was made when the unfinished migration began; `nil` for none.
  public let snapshot: MigrationSnapshot?
  /// How many bytes that copy would have, which must be free beside the database.
  public let snapshotByteCount: Int?

  /// Whether nothing would be done.
  public var isEmpty: Bool { from == to && moves.isEmpty && adoption == nil && !isUnfinished }

  public var description: String {
    guard let from else { return "new: gets the schema of \(to)" }
    if isEmpty { return "at \(from): nothing to do" }
    var lines = ["from \(from) to \(to)"]
    if let adoption { lines[0] += ", adopted by \(quoted(adoption))" }
    if isUnfinished { lines[0] += ", going on where it was interrupted" }
    if let snapshot {
      let size = snapshotByteCount.map { " (\($0) bytes)" } ?? ""
      lines.append("  snapshot  \(snapshot.location.lastPathComponent)\(size)")
    }
    lines += moves.map { move in
      "  \(move.direction.rawValue.padded(to: 8))  \(move.from) → \(move.to)"
        + (move.isInserted ? " (inserted)" : "")
    }
    return lines.joined(separator: "\n")
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - self.count))
  }
}
