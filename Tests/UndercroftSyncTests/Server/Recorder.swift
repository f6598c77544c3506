import Synchronization
import UndercroftSync

/// The changes that a validator has seen.
final class Recorder: Sendable {
  private let stored = Mutex<[ProposedChange]>([])

  var changes: [ProposedChange] { stored.withLock { $0 } }

  func append(_ change: ProposedChange) { stored.withLock { $0.append(change) } }
}
