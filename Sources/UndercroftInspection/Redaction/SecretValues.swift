import Synchronization
import UndercroftCore
import UndercroftFoundation

/// The values with secret names that a statement has read from stores of named values.
///
/// The columns of a result do not show from which entries its values come. A value of the result
/// that equals one of these values is therefore redacted, whatever the name of its column is.
package final class SecretValues: Sendable {
  /// The maximum number of values, so that a store with many secrets does not fill the memory.
  private static let maximumCount = 100_000

  /// The maximum size in bytes of a value of the set.
  private static let maximumSize = 65_536

  private let values = Mutex<Set<Data>>([])

  /// Creates an empty set of values.
  package init() {}

  /// Returns whether the set contains a value.
  package func contains(_ value: some Collection<UInt8>) -> Bool {
    guard value.count <= Self.maximumSize else { return false }
    let value = Data(value)
    return values.withLock { $0.contains(value) }
  }

  /// Returns a store that reads the same values, and adds those with secret names to this set.
  package func recording(_ store: OpenedStore) -> OpenedStore {
    store.observed { name, value in
      guard value.count <= Self.maximumSize, SecretName.isSecret(name) else { return }
      self.values.withLock { if $0.count < Self.maximumCount { $0.insert(value) } }
    }
  }
}
