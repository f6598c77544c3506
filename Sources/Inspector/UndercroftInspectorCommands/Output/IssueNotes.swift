import Synchronization
import UndercroftCore

/// The notes of a command about errors that a backend reports although its call succeeds, such as
/// that of a vault that has stored a change but cannot erase the old value.
///
/// A backend reports an error at each attempt. The command notes it once.
final class IssueNotes: Sendable {
  private let noted = Mutex<Set<ExactString>>([])

  /// Writes an error as a note, unless the same note was written before.
  func note(_ error: StorageError) {
    let isNew = noted.withLock { $0.insert(ExactString(error.message)).inserted }
    if isNew { Output.note(error.message) }
  }
}
