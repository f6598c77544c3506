import Synchronization
import UndercroftFoundation

/// A ``Gate`` whose backend is opened at the first use.
///
/// A storage makes every write to a backend through the backend's gate. The kinds of one
/// call of ``Storage/use(_:for:_:)`` share this object, and so do all copies of the storage.
final class LazyGate: Sendable {
  private let gate: Mutex<Gate?>
  /// The lock that is held while the backend is opened.
  ///
  /// Opening the backend may take a long time. If the closure that opens the backend uses the same
  /// route, the lock throws an error instead of deadlocking.
  private let lock = WriterLock(timeout: .seconds(60))
  private let choice: BackendChoice

  init(_ choice: BackendChoice) {
    self.choice = choice
    gate = Mutex(choice.gate)
  }

  /// The gate, or `nil` if the backend is not open.
  var opened: Gate? { gate.withLock { $0 } }

  /// Returns the gate of the backend, and opens the backend if it is not open.
  ///
  /// An error is not stored: the next call tries to open the backend again.
  ///
  /// - Parameter prepare: called before the backend is opened.
  func open(before prepare: () throws(StorageError) -> Void) throws(StorageError) -> Gate {
    if let gate = opened { return gate }
    try prepare()
    do throws(StorageError) { try lock.lock() } catch { throw whileOpening(error) }
    defer { lock.unlock() }
    if let gate = opened { return gate }
    let backend = try choice.open()
    try RouteCheck.opened(backend, matches: choice)
    let gate = Gate(backend)
    self.gate.withLock { $0 = gate }
    return gate
  }

  /// Releases the backend that ``open(before:)`` has opened;
  /// the next call of that method opens the backend again.
  ///
  /// Does nothing if the backend is only in memory, or if
  /// the application chose a backend that was already open.
  func close() {
    guard choice.url != nil, choice.gate == nil else { return }
    let closed = gate.withLock { gate in
      defer { gate = nil }
      return gate
    }
    // Released outside the lock, because closing may take as long as opening.
    withExtendedLifetime(closed) {}
  }

  private func whileOpening(_ error: StorageError) -> StorageError {
    let path = choice.url.map { " at \(quoted($0.path))" } ?? ""
    let backend = "the backend \(quoted(choice.name))\(path)"
    return error.code == .misuse
      ? StorageError(
        .misuse, "cannot open \(backend): the open closure of the backend uses the same backend",
        suggestion:
          "in the open closure of a backend, do not use kinds that are routed to this backend")
      : StorageError(
        .locked,
        "cannot open \(backend): another thread has been opening the backend for 60 seconds",
        suggestion: "wait until the other thread has opened the backend, and repeat the call")
  }
}
