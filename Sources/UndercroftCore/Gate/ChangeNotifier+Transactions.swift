extension ChangeNotifier {
  /// Calls the handlers for the pending events after the calling thread has ended its outermost
  /// write of each of `backends`.
  ///
  /// If an observer were called during a transaction, values that it saves would be lost on a
  /// rollback. If an observer were called during any other write, other writers would wait for the
  /// observer.
  func deliver(afterUseOf backends: [any TransactionalBackend]) {
    guard hasWaiting else { return }
    for backend in backends
    where backend.afterUse({ [self] in deliver(afterUseOf: backends) }) { return }
    deliver()
  }
}
