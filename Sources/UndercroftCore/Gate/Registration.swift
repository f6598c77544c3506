import Synchronization

/// The registration of an interceptor, an observer or a
/// listener, which ends when it is cancelled or released.
public final class Registration: Sendable {
  private let cancellation: Mutex<(@Sendable () -> Void)?>

  /// Creates a registration that calls `cancellation` once, when it is cancelled or released.
  package init(_ cancellation: @escaping @Sendable () -> Void) {
    self.cancellation = Mutex(cancellation)
  }

  /// Ends the registration immediately; a second call does nothing.
  public func cancel() {
    let action = cancellation.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }

  deinit { cancel() }
}

/// A list of values in the order in which they were added.
///
/// Each value can be removed by the number that was assigned to it.
package struct Registry<Value: Sendable>: Sendable {
  /// The values with their numbers, in the order in which they were added.
  package private(set) var entries: [(id: Int, value: Value)] = []
  /// The number of the value that was added last, or 0 if no value was ever added.
  package private(set) var lastID = 0

  /// Creates an empty registry.
  package init() {}

  /// Whether the registry has no values.
  package var isEmpty: Bool { entries.isEmpty }

  /// The values in the order in which they were added.
  package var values: [Value] { entries.isEmpty ? [] : entries.map(\.value) }

  /// Adds a value, and returns the number by which it can be removed.
  package mutating func add(_ value: Value) -> Int {
    lastID += 1
    entries.append((lastID, value))
    return lastID
  }

  /// Removes a value and returns it, so that the caller can release
  /// it outside all locks, or returns `nil` if the number is unknown.
  package mutating func remove(_ id: Int) -> Value? {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
    return entries.remove(at: index).value
  }
}
