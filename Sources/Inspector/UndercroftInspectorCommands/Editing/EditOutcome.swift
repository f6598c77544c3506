import Foundation
import UndercroftCore
import UndercroftInspection

/// The numbers of values that an edit has added, changed and removed.
struct EditOutcome {
  private var added = 0
  private var changed = 0
  private var removed = 0

  init() {}

  /// Counts changes.
  ///
  /// - Parameter changes: each change, with the bytes that the store had before, or `nil` if it had
  ///   no value with the name.
  init(of changes: [(StorageChange, Data?)]) {
    for (change, old) in changes {
      if old == nil {
        added += 1
      } else if change.bytes == nil {
        removed += 1
      } else {
        changed += 1
      }
    }
  }

  mutating func add(_ other: EditOutcome) {
    added += other.added
    changed += other.changed
    removed += other.removed
  }

  /// The numbers as a phrase, such as "added 1 value, changed 2 values", or `nil` if nothing was
  /// changed.
  var summary: String? {
    let parts = [("added", added), ("changed", changed), ("removed", removed)]
      .filter { $0.1 > 0 }
      .map { verb, count in "\(verb) \(EnglishText.counted(count, "value"))" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
