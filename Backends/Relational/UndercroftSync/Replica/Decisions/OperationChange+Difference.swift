package import UndercroftCore

extension OperationChange {
  /// Returns the change that turns one row into another, or `nil` if they are equal.
  ///
  /// Values are compared by their types and bytes. Counters that are not integers count as 0.
  ///
  /// - Parameters:
  ///   - before: the row before the change, or `nil` if there was none.
  ///   - after: the row after the change, or `nil` if there is none.
  ///   - counters: the columns whose changes are added up.
  package static func difference(
    from before: FieldValues?, to after: FieldValues?, counters: Set<ExactString>
  ) -> OperationChange? {
    switch (before, after) {
    case (nil, nil): return nil
    case (_, nil): return .delete
    case (nil, let after?):
      return .insert(
        after.filter { !counters.contains($0.key) }, counters: after.counters(among: counters))
    case (let before?, let after?):
      let values = after.filter { !counters.contains($0.key) && before[$0.key] != $0.value }
      let increments = after.counters(among: counters).since(before.counters(among: counters))
        .filter { $0.value != 0 }
      return values.isEmpty && increments.isEmpty ? nil : .update(values, increments: increments)
    }
  }
}

extension FieldValues {
  /// Returns the values of counters, without those that are NULL and with 0 for other values that
  /// are not integers.
  package func counters(among names: Set<ExactString>) -> CounterValues {
    var counters: CounterValues = [:]
    for name in names {
      switch self[name] {
      case nil, .null?: continue
      case .integer(let value)?: counters[name] = value
      default: counters[name] = 0
      }
    }
    return counters
  }
}

extension CounterValues {
  /// Returns the increments of the counters since earlier values, modulo 2^64.
  package func since(_ earlier: CounterValues) -> CounterValues {
    var increments: CounterValues = [:]
    for name in Set(keys).union(earlier.keys) {
      increments[name] = (self[name] ?? 0) &- (earlier[name] ?? 0)
    }
    return increments
  }
}
