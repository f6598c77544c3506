import UndercroftFoundation

extension Storage {
  /// The value of an observed key before and after a change.
  public struct ValueChange<Value: Codable & Sendable>: Sendable {
    /// The value before the change.
    public let old: Value
    /// The value after the change.
    public let new: Value
  }

  /// Calls `handler` with the old and the new value after each change of `key`.
  ///
  /// ```swift
  /// let registration = try storage.observe(.theme) { old, new in show(new) }
  /// ```
  ///
  /// Changes by this process and by other processes are observed, including changes through
  /// other storages. The handler is called after a write has succeeded, or after the transaction
  /// that contains the write was committed, by default on the writing thread before the write
  /// returns. If the stored bytes remain the same, the handler is not called. If a value changes
  /// again before the handler is called, the handler is called once for both changes.
  ///
  /// The handler runs without a lock and can write. Handlers of one backend
  /// never run at the same time and are never nested: observers are notified of
  /// a handler's write afterwards, on a queue. A handler that changes its own
  /// key on every call is called again until its registration is cancelled.
  ///
  /// If a value cannot be read or decoded, the error goes to ``issueHandler``. The handler is not
  /// called if the bytes cannot be read, and receives the default value for bytes that cannot be
  /// decoded. The observation ends when the registration is cancelled or released, and when the
  /// storage is closed. The encoded value remains in memory, so observe a kind of large values
  /// with ``observeAll(of:_:)``.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if the kind has no route, any error that
  ///   opening or reading the backend throws, and an error if the store cannot be watched.
  public func observe<Value>(
    _ key: StorageKey<Value>,
    onChange handler: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) throws(StorageError) -> Registration {
    let route = try route(for: key.kind)
    let (coding, report) = (route.coding, issueHandler)
    return try observe([try coding.backendName(of: key)], route) { old, new in
      handler(
        coding.value(of: old[0], for: key, reportingTo: report),
        coding.value(of: new[0], for: key, reportingTo: report))
    }
  }

  /// Calls `handler` with the old and the new values after each change of one or more of `keys`.
  ///
  /// ```swift
  /// let registration = try storage.observe(.theme, .fontSize) { theme, size in
  ///   show(theme.new, size.new)
  /// }
  /// ```
  ///
  /// An edit that changes several keys calls the handler once. In
  /// all other respects, the handler is called as for a single key.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the keys are of several
  ///   kinds, and the errors that observing a single key throws.
  public func observe<First, each Value>(
    _ first: StorageKey<First>, _ others: repeat StorageKey<each Value>,
    onChange handler:
      @escaping @Sendable (ValueChange<First>, repeat ValueChange<each Value>) -> Void
  ) throws(StorageError) -> Registration {
    let route = try route(for: first.kind)
    let (coding, report) = (route.coding, issueHandler)
    var names = [try coding.backendName(of: first)]
    for key in repeat each others {
      if key.kind != first.kind {
        throw StorageError(
          .misuse,
          """
          cannot observe \(first.kind) and \(key.kind) together: all keys of one observation must \
          have the same kind
          """,
          suggestion: "call observe once for the keys of each kind", key: key.name)
      }
      names.append(try coding.backendName(of: key))
    }
    return try observe(names, route) { old, new in
      var index = 0
      func change<Observed>(of key: StorageKey<Observed>) -> ValueChange<Observed> {
        defer { index += 1 }
        return ValueChange(
          old: coding.value(of: old[index], for: key, reportingTo: report),
          new: coding.value(of: new[index], for: key, reportingTo: report))
      }
      let firstChange = change(of: first)
      handler(firstChange, repeat change(of: each others))
    }
  }

  /// Calls `handler` after each change of a value of `kind`.
  ///
  /// A change by another process does not report which values have changed. The handler is
  /// therefore called for every such change of the store, even if it concerns another kind.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if the kind has no route, any error
  ///   that opening the backend throws, and an error if the store cannot be watched.
  public func observeAll(
    of kind: DataKind, _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) -> Registration {
    let route = try route(for: kind)
    return try gate(of: route).observe(nil, withPrefix: route.coding.prefix, handler)
  }

  private func observe(
    _ names: [String], _ route: Route,
    _ handler: @escaping @Sendable (_ old: [Data?], _ new: [Data?]) -> Void
  ) throws(StorageError) -> Registration {
    let gate = try gate(of: route)
    let bytes = ObservedBytes(names)
    let report = issueHandler
    let registration = try gate.observe(Set(names)) { [weak gate] in
      // The observer does not retain the gate, so that the storage can close the backend.
      guard let gate else { return }
      do throws(StorageError) {
        if let (old, new) = try bytes.change(in: gate) { handler(old, new) }
      } catch {
        report(error)
      }
    }
    try bytes.begin(in: gate)
    return registration
  }
}

extension RouteCoding {
  /// Returns the value that `bytes` encode, or reports an error and returns the default value.
  fileprivate func value<Value>(
    of bytes: Data?, for key: StorageKey<Value>, reportingTo report: (StorageError) -> Void
  ) -> Value {
    do throws(StorageError) { return try value(of: bytes, for: key) } catch {
      report(error)
      return key.defaultValue
    }
  }
}
