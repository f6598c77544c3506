/// A backend whose writes can be part of a transaction that the calling
/// thread began directly on the backend, not through a ``Gate``.
///
/// Other threads see the changes of such a write only
/// after the commit, and the write may be rolled back.
package protocol TransactionalBackend: StorageBackend {
  /// Whether the calling thread is inside a read or a write that
  /// it began directly on the backend, such as a transaction.
  ///
  /// Inside such a read or write, the thread may read values that are uncommitted,
  /// or older than the latest values that other threads have committed.
  var isInsideTransaction: Bool { get }

  /// Whether the calling thread has an open transaction,
  /// and therefore reads through that transaction.
  ///
  /// The values that the thread reads may differ from the
  /// values that other threads read at the same time.
  var hasOpenTransaction: Bool { get }

  /// Registers `action`, which is called when the open transaction of the calling thread ends.
  ///
  /// The argument of `action` states whether the writes that preceded this call were committed.
  /// If a savepoint is rolled back, the actions that were registered within this savepoint are
  /// called with the argument `false`. Actions are called in the order of their registration, on
  /// the same thread, before any other thread can write. An action must neither wait nor use the
  /// backend.
  ///
  /// - Returns: `true` if a transaction is open. Otherwise, `false`, and `action` is not called.
  func afterTransaction(_ action: @escaping @Sendable (_ isCommitted: Bool) -> Void) -> Bool

  /// Registers `action`, which is called after the outermost write of the calling thread.
  ///
  /// The action is called on the same thread, when the thread holds no lock of the backend.
  ///
  /// - Returns: `true` if the thread is inside a write.
  ///   Otherwise, `false`, and `action` is not called.
  func afterUse(_ action: @escaping @Sendable () -> Void) -> Bool

  /// Runs `body` on behalf of `writer`, and reports the changes
  /// of `body` to all listeners except the listeners of `writer`.
  func withWriter(
    _ writer: AnyObject, _ body: () throws(StorageError) -> Void
  ) throws(StorageError)

  /// Adds a listener for every change of the store by this process.
  ///
  /// The listener is called for changes through SQL and through any backend
  /// on the same store, until the registration is cancelled or released.
  func addListener(_ listener: CommitListener) -> Registration
}

extension StorageBackend {
  /// The transactional backends that a write to this backend can reach, directly or through layers.
  var transactionalBackends: [any TransactionalBackend] {
    if let transactional = self as? any TransactionalBackend { return [transactional] }
    // A search list never writes to its overrides and fallbacks.
    if let list = self as? SearchListBackend { return list.primary.transactionalBackends }
    guard let layer = self as? any LayeredBackend else { return [] }
    return layer.upstreams.flatMap(\.transactionalBackends)
  }

  /// Returns the name under which the transactional backend behind the
  /// layers stores the value of `name`, or `nil` if that name is unknown.
  func storedName(of name: String) -> String? {
    if self is any TransactionalBackend { return name }
    if let list = self as? SearchListBackend { return list.primary.storedName(of: name) }
    guard let layer = self as? any LayeredBackend else { return nil }
    let upstreams = layer.upstreams.filter { !$0.transactionalBackends.isEmpty }
    guard upstreams.count == 1, let name = layer.upstreamName(of: name) else { return nil }
    return upstreams.first?.storedName(of: name)
  }
}
