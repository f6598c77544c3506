/// A backend whose writes may be part of a transaction that the calling thread has begun by other means than a gate.
///
/// Other threads do not see what such a write changes until the transaction is committed, and the write may yet be rolled back.
package protocol TransactionalBackend: StorageBackend {
  /// Whether the calling thread is inside a read or a write that it began by other means than this call.
  ///
  /// What the thread reads there may be older than what other threads have committed since, or not committed yet.
  var isInsideTransaction: Bool { get }

  /// Calls `action` when the transaction that the calling thread has open has ended, with whether what was written until now was
  /// committed.
  ///
  /// A savepoint that is rolled back alone ends the actions that were added within it. Actions are called in the order in which
  /// they were added, on the same thread, before any other thread can write: an action must neither wait nor use the backend. If no
  /// transaction is open, returns `false` and calls nothing.
  func afterTransaction(_ action: @escaping @Sendable (_ isCommitted: Bool) -> Void) -> Bool

  /// Calls `action` on the same thread after the outermost write that the calling thread is inside, outside of the backend's locks.
  ///
  /// If the thread is inside none, returns `false` and calls nothing.
  func afterUse(_ action: @escaping @Sendable () -> Void) -> Bool

  /// Runs `body`, whose changes are reported to all listeners except those of `writer`.
  func withWriter(
    _ writer: AnyObject, _ body: () throws(StorageError) -> Void
  ) throws(StorageError)

  /// Reports every change of the store within this process, through any backend of it or by SQL, until
  /// the registration is released.
  func addListener(_ listener: CommitListener) -> Registration
}

extension StorageBackend {
  /// The backends that a write to this one may reach, and in which the calling thread may have a transaction open.
  var transactionalBackends: [any TransactionalBackend] {
    if let transactional = self as? any TransactionalBackend { return [transactional] }
    // Overrides and fallbacks are never written through the list.
    if let list = self as? SearchListBackend { return list.primary.transactionalBackends }
    guard let layer = self as? any LayeredBackend else { return [] }
    return layer.upstreams.flatMap(\.transactionalBackends)
  }

  /// Returns the name under which the transactional backend behind the layers stores the value of
  /// `name`, or `nil` if that name is unknown.
  func storedName(of name: String) -> String? {
    if self is any TransactionalBackend { return name }
    if let list = self as? SearchListBackend { return list.primary.storedName(of: name) }
    guard let layer = self as? any LayeredBackend else { return nil }
    let upstreams = layer.upstreams.filter { !$0.transactionalBackends.isEmpty }
    guard upstreams.count == 1, let name = layer.upstreamName(of: name) else { return nil }
    return upstreams.first?.storedName(of: name)
  }
}
