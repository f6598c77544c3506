package import UndercroftCore

/// The address of a row in a scope: its table and its identifier.
package struct RowAddress: Hashable, Sendable {
  package var table: ExactString
  package var dataIdentifier: DataIdentifier

  package init(table: String, dataIdentifier: DataIdentifier) {
    self.table = table.exact
    self.dataIdentifier = dataIdentifier
  }
}

extension OperationResolver {
  /// Returns the decisions about the operations of an atomic group: all operations are applied, or
  /// none.
  ///
  /// If an operation is not applied, its decision contains the reason, and the decisions about all
  /// other operations are ``OperationStatus/groupAborted``. An operation that loses only some
  /// values against concurrent values does not abort a group.
  ///
  /// - Parameters:
  ///   - group: the operations in the order of the chain.
  ///   - head: the version of the scope before the group.
  ///   - record: returns the row of the server, or `nil` if there is none.
  package func resolve(
    group: [SyncOperation], after head: Int64, record: (RowAddress) throws -> ServerRecord?
  ) rethrows -> [Resolution] {
    var written: [RowAddress: ServerRecord] = [:]
    var resolutions: [Resolution] = []
    var head = head
    for operation in group {
      let address = RowAddress(
        table: operation.table, dataIdentifier: operation.dataIdentifier)
      let current = try written[address] ?? record(address)
      let resolution = resolve(operation, on: current, version: head &+ 1)
      guard resolution.status == .applied else {
        return try aborted(group, at: resolutions.count, resolution, record)
      }
      if let changed = resolution.record {
        written[address] = changed
        head &+= 1
      }
      resolutions.append(resolution)
    }
    return resolutions
  }

  private func aborted(
    _ group: [SyncOperation], at failed: Int, _ resolution: Resolution,
    _ record: (RowAddress) throws -> ServerRecord?
  ) rethrows -> [Resolution] {
    try group.enumerated().map { index, operation in
      if index == failed { return resolution }
      let address = RowAddress(
        table: operation.table, dataIdentifier: operation.dataIdentifier)
      return decision(operation, on: try record(address), version: 0)
        .dismissed(.groupAborted, .groupAborted)
    }
  }
}
