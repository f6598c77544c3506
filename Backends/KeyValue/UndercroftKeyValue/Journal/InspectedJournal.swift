package import UndercroftCore
import UndercroftFileSystem
package import UndercroftFoundation

/// The journal beside a snapshot, read without acquiring the lock of the store.
///
/// An inspector that reads the snapshot by itself applies the changes of the journal to what it
/// reads.
package final class InspectedJournal: Sendable {
  private let path: String
  private let journal: Journal
  /// The size of the file when the journal was read.
  private let byteCount: Int
  /// The latest value of each entry that the journal contains, or `nil` for a removed entry.
  package let changes: [ExactString: Data?]

  /// Reads the journal of the snapshot at `snapshot`, or returns `nil` if the snapshot has none.
  package init?(besideSnapshot snapshot: String) throws(StorageError) {
    path = Self.path(ofSnapshot: snapshot)
    guard try Folder.hasEntry(at: path) else { return nil }
    var journal = try Journal(opening: path, O_RDONLY)
    byteCount = Int(try journal.file.status().st_size)
    var changes: [ExactString: Data?] = [:]
    try journal.replay(recovering: true) { change in
      switch change {
      case .set(let name, let bytes): changes.updateValue(bytes, forKey: name.exact)
      case .remove(let name): changes.updateValue(nil, forKey: name.exact)
      }
    }
    self.journal = journal
    self.changes = changes
  }

  /// Returns the path of the journal of the snapshot at `snapshot`.
  package static func path(ofSnapshot snapshot: String) -> String { snapshot + ".journal" }

  /// Returns whether the file still is the journal of the snapshot, and contains no further
  /// changes.
  package func isCurrent() throws(StorageError) -> Bool {
    guard try journal.isFile(at: path) else { return false }
    guard try Int(journal.file.status().st_size) == byteCount else { return false }
    return try journal.isInPlace()
  }

  /// Returns whether the file still is the journal of the snapshot.
  package func isInPlace() throws(StorageError) -> Bool { try journal.isFile(at: path) }

  /// The damage of the journal, or `nil` if no record is damaged.
  package var damage: StoreDamage? {
    guard case .damaged(let count) = journal.tail else { return nil }
    return StoreDamage(path: path, offset: journal.end, unrecoveredByteCount: count)
  }
}
