import Synchronization
import UndercroftSync

/// A list of the changes that a validator was called with.
final class Recorder: Sendable {
  private let stored = Mutex<[ProposedChange]>([])

  var changes: [ProposedChange] { stored.withLock { $0 } }

  func append(_ change: ProposedChange) { stored.withLock { $0.append(change) } }
}
