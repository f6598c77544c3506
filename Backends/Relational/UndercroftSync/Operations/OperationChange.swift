import UndercroftCore

/// The kind of a change of a row.
public enum OperationKind: String, Hashable, Sendable {
  /// The insertion of a row.
  case insert = "insert"
  /// The update of some columns.
  case update = "update"
  /// The deletion of a row.
  case delete = "delete"
}

/// The change that an operation makes to its row.
package struct OperationChange: Hashable, Sendable {
  package var kind: OperationKind
  /// The new values of columns that are not counters; empty for a deletion.
  package var values: FieldValues
  /// The numbers that are added to counters.
  package var increments: CounterValues
  /// The values of counters if the operation creates the row; empty unless the operation is an
  /// insertion.
  package var absolutes: CounterValues

  private init(
    _ kind: OperationKind, values: FieldValues, increments: CounterValues, absolutes: CounterValues
  ) {
    self.kind = kind
    self.values = values
    self.increments = increments
    self.absolutes = absolutes
  }

  /// Returns the insertion of a row.
  ///
  /// - Parameters:
  ///   - counters: the values of the counters if the operation creates the row.
  ///   - increments: the numbers to add to the counters if the row exists already, by default
  ///     `counters`. A peer can send smaller numbers, for example if it coalesced a deletion and an
  ///     insertion.
  package static func insert(
    _ values: FieldValues, counters: CounterValues = [:], increments: CounterValues? = nil
  ) -> OperationChange {
    OperationChange(
      .insert, values: values, increments: increments ?? counters, absolutes: counters)
  }

  /// Returns an update of some columns.
  package static func update(
    _ values: FieldValues = [:], increments: CounterValues = [:]
  ) -> OperationChange {
    OperationChange(.update, values: values, increments: increments, absolutes: [:])
  }

  /// The deletion of a row.
  package static let delete = OperationChange(
    .delete, values: [:], increments: [:], absolutes: [:])

  /// Whether the change is an update without columns, which only answers a conflict.
  package var isEmpty: Bool { kind == .update && values.isEmpty && increments.isEmpty }

  /// Whether the change adds a number other than 0 to a counter.
  package var hasIncrements: Bool { increments.values.contains { $0 != 0 } }
}

extension CounterValues {
  /// Adds each increment to its counter, modulo 2^64.
  ///
  /// Sums modulo 2^64 do not depend on the order of additions, so all replicas compute the same
  /// sums.
  package mutating func add(_ increments: CounterValues) {
    for (column, increment) in increments { self[column] = (self[column] ?? 0) &+ increment }
  }

  /// Subtracts each increment from its counter, modulo 2^64.
  package mutating func subtract(_ increments: CounterValues) {
    for (column, increment) in increments { self[column] = (self[column] ?? 0) &- increment }
  }
}

extension FieldValues {
  /// Adds each increment to its counter among the values, modulo 2^64.
  ///
  /// A value that is not an integer counts as 0.
  package mutating func add(_ increments: CounterValues) {
    for (column, increment) in increments {
      var counter: Int64 = 0
      if case .integer(let value)? = self[column] { counter = value }
      self[column] = .integer(counter &+ increment)
    }
  }

  /// Sets counters to the given values.
  package mutating func set(_ counters: CounterValues) {
    for (column, counter) in counters { self[column] = .integer(counter) }
  }
}
