import Synchronization
import UndercroftFoundation

/// The stored bytes of observed names, for decoding the old and the new values of a change.
///
/// The gate never calls two observers at the same time, so ``change(in:)`` is never called by two
/// threads at once. Only ``begin(in:)`` can run at the same time as ``change(in:)``.
final class ObservedBytes: Sendable {
  private enum State {
    /// The first read has not ended; `hasMissedChange` is
    /// `true` if the gate reported a change during the read.
    case reading(hasMissedChange: Bool)
    case known([Data?])
  }

  private let names: [String]
  private let state = Mutex(State.reading(hasMissedChange: false))

  init(_ names: [String]) { self.names = names }

  /// Reads the initial bytes, with which the first call of ``change(in:)`` compares the new bytes.
  ///
  /// If the gate reports a change during the read, the initial bytes may be older than that
  /// change. In this case, the method notifies the observers of the gate again after the read. The
  /// observers then call ``change(in:)``, which finds the new bytes.
  func begin(in gate: Gate) throws(StorageError) {
    let bytes = try read(in: gate)
    let hasMissedChange = state.withLock { state in
      defer { state = .known(bytes) }
      if case .reading(true) = state { return true }
      return false
    }
    if hasMissedChange { gate.notifyUnknownChange() }
  }

  /// Reads the bytes again, and returns the old and the new bytes,
  /// or `nil` if they are equal or ``begin(in:)`` has not ended.
  func change(in gate: Gate) throws(StorageError) -> (old: [Data?], new: [Data?])? {
    let isReady = state.withLock { state in
      if case .known = state { return true }
      state = .reading(hasMissedChange: true)
      return false
    }
    if !isReady { return nil }
    let new = try read(in: gate)
    return state.withLock { state in
      guard case .known(let old) = state, old != new else { return nil }
      state = .known(new)
      return (old, new)
    }
  }

  private func read(in gate: Gate) throws(StorageError) -> [Data?] {
    try names.map { (name) throws(StorageError) in try gate.read(name) }
  }
}
