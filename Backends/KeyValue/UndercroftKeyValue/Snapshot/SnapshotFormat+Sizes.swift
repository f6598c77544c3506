import UndercroftCore
import UndercroftFoundation

extension SnapshotFormat {
  /// Throws ``StorageError/Code/tooLarge`` if a change stores a value that exceeds
  /// ``SnapshotFormat/maximumValueSize``.
  ///
  /// A value in the journal that the snapshot cannot store would make every later checkpoint fail.
  func checkSizes(of changes: [StorageChange]) throws(StorageError) {
    guard let limit = maximumValueSize else { return }
    for case .set(let name, let bytes) in changes where bytes.count > limit {
      throw StorageError(
        .tooLarge,
        """
        cannot store \(bytes.count) bytes in the entry \(quoted(name)): the limit of the \
        \(self.name) format for one value is \(limit) bytes
        """,
        suggestion: "save large values under a key of the kind .blob, routed to .files(in:)",
        key: name)
    }
  }
}
