// The handling of changes of the store that other writers of this process make.

extension Gate {
  /// A listener that invalidates the cached values that other writers of
  /// this process change, and notifies the observers of these values.
  ///
  /// The listener refers to the parts of the gate that it needs, and not to the gate: after a weak
  /// reference to an object was created, retaining this object takes longer, and each cached read
  /// retains the gate.
  var commitListener: CommitListener {
    // A layer has other names than the store, so the whole cache is invalidated.
    let isLayered = !(backend is any TransactionalBackend)
    return CommitListener(
      writer: ObjectIdentifier(self),
      didWrite: { [cache] names in cache.suspend(isLayered ? nil : names) },
      didEnd: { [cache, notifier] names, isCommitted in
        cache.resume(isLayered ? nil : names)
        if isCommitted { notifier.enqueue(.change(storedNames: names)) }
      },
      deliver: { [notifier, transactional] in notifier.deliver(afterUseOf: transactional) })
  }

  /// Returns the names under which the transactional backend below all layers stores the values of
  /// `names`, or `nil` if one of these names is unknown.
  func storedNames(of names: Set<String>) -> Set<ExactString>? {
    let stored = names.compactMap { backend.storedName(of: $0)?.exact }
    return stored.count == names.count ? Set(stored) : nil
  }
}
