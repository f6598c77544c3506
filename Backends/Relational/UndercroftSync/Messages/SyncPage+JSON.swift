import UndercroftCore

extension SyncPage {
  var json: JSONValue {
    var object = WireObject()
    object[.epoch] = .string(epoch.text)
    object[.replica] = .string(replica.text)
    object[.generation] = .integer(generation)
    object[.from] = .integer(from)
    object[.to] = .integer(to)
    object[.more] = .bool(hasMore)
    object[.head] = .integer(head)
    object[.floor] = .integer(floor)
    object[.hybridTimestamp] = .string(hybridTimestamp.digits)
    object[.serverTime] = .integer(serverTime)
    object[.appliedThrough] = appliedThrough.json
    object[.changes] = .array(rows.map(\.json))
    if !conflicts.isEmpty { object[.conflicts] = .array(conflicts.map(\.json)) }
    return object.json
  }

  init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    let rows = try object.read(.changes) { json throws(WireError) in
      try WireForm.list(json, atMost: SyncLimits.elements) { json throws(WireError) in
        try PulledRow(json: json)
      }
    }
    let conflicts = try object.readIfPresent(.conflicts) { json throws(WireError) in
      try WireForm.list(json, atMost: SyncLimits.elements) { json throws(WireError) in
        try SyncConflict(json: json)
      }
    }
    self.init(
      epoch: try object.read(.epoch, WireForm.identifier),
      replica: try object.read(.replica, WireForm.identifier),
      generation: try object.read(.generation, WireForm.natural),
      from: try object.read(.from, WireForm.natural), to: try object.read(.to, WireForm.natural),
      hasMore: try object.read(.more, WireForm.bool),
      head: try object.read(.head, WireForm.natural),
      floor: try object.read(.floor, WireForm.natural),
      hybridTimestamp: try object.read(.hybridTimestamp, WireForm.hybridTimestamp),
      serverTime: try object.read(.serverTime, WireForm.integer),
      appliedThrough: try object.read(.appliedThrough) { json throws(WireError) in
        try OperationChain(json: json)
      }, rows: rows, conflicts: conflicts ?? [])
    try validate()
  }

  /// Throws if the cursors are inconsistent, or if the versions of the rows do not ascend or are
  /// not between ``from`` and ``to``.
  private func validate() throws(WireError) {
    guard from <= to else {
      throw WireError("\"to\" is \(to), which is less than \"from\", \(from)")
    }
    guard to <= head || (!hasMore && from == to) else {
      throw WireError("\"to\" is \(to), which is greater than \"head\", \(head)")
    }
    guard !hasMore || to > from else {
      throw WireError("\"more\" is true, but \"to\" is equal to \"from\"")
    }
    var last = from
    for (index, row) in rows.enumerated() {
      guard row.version > last, row.version <= to else {
        throw WireError(
          row.version > to
            ? "the version is \(row.version), which is greater than \"to\", \(to)"
            : "the version is \(row.version), which is not greater than "
              + (index == 0 ? "\"from\", \(last)" : "the version of the previous row, \(last)")
        )
        .inside("[\(index)]").inside(WireName.changes.rawValue)
      }
      last = row.version
    }
  }
}

extension PulledRow {
  fileprivate var json: JSONValue {
    var object = WireObject()
    object[.table] = .string(table)
    object[.dataIdentifier] = .string(dataIdentifier.text)
    object[.version] = .integer(version)
    object[.hybridTimestamp] = .string(hybridTimestamp.digits)
    object[.deleted] = .bool(fields == nil)
    if let fields { object[.fields] = WireForm.json(fields) }
    return object.json
  }

  fileprivate init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    let isDeleted = try object.read(.deleted, WireForm.bool)
    self.init(
      table: try object.read(.table, WireForm.name),
      dataIdentifier: try object.read(.dataIdentifier, WireForm.identifier),
      version: try object.read(.version, WireForm.natural),
      hybridTimestamp: try object.read(.hybridTimestamp, WireForm.hybridTimestamp),
      fields: isDeleted ? nil : try object.read(.fields, WireForm.fields))
  }
}

extension OperationChain {
  fileprivate var json: JSONValue {
    var object = WireObject()
    object[.sequence] = .integer(count)
    object[.operationIdentifier] = WireForm.json(lastOperation)
    object[.chain] = hash.map { .string($0.digits) } ?? .null
    return object.json
  }

  fileprivate init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      count: try object.read(.sequence, WireForm.natural),
      lastOperation: try object.readIfPresent(.operationIdentifier, WireForm.identifier),
      hash: try object.readIfPresent(.chain, WireForm.digest))
    guard (count == 0) == (lastOperation == nil), (count == 0) == (hash == nil) else {
      throw WireError(
        count == 0
          ? "\"seq\" is 0, so \"operationIdentifier\" and \"chain\" are not allowed"
          : "\"seq\" is \(count), so \"operationIdentifier\" and \"chain\" are required")
    }
  }
}
