import UndercroftCore

extension SyncOperation {
  var json: JSONValue {
    var object = WireObject()
    object[.operationIdentifier] = .string(operationIdentifier.text)
    object[.sequence] = .integer(sequence)
    object[.table] = .string(table)
    if let selection {
      object[.kind] = .string(batchKind)
      object[.payload] = batchPayload(selection)
    } else {
      object[.dataIdentifier] = .string(dataIdentifier.text)
      object[.kind] = .string(change.kind.rawValue)
      if change.kind != .delete { object[.payload] = change.payload }
    }
    // A broken clock must not make an operation unreadable.
    object[.timestamp] = .integer(
      min(max(timestamp, JSONValue.exactIntegers.lowerBound), JSONValue.exactIntegers.upperBound))
    object[.hybridTimestamp] = .string(hybridTimestamp.digits)
    object[.base] = .integer(knowledge.base)
    object[.seen] = .integer(knowledge.seen)
    if !knowledge.hidden.isEmpty { object[.hidden] = WireForm.json(knowledge.hidden) }
    object[.baseCursor] = .integer(knowledge.baseCursor)
    if knowledge.knownHead > knowledge.baseCursor {
      object[.knownHead] = .integer(knowledge.knownHead)
    }
    if knowledge.precedesContact { object[.precedesContact] = .bool(true) }
    object[.schema] = .integer(schemaVersion)
    if !absorbed.isEmpty { object[.absorbed] = .array(absorbed.map(\.json)) }
    if let group { object[.group] = .string(group) }
    if let resolves { object[.resolves] = .string(resolves.text) }
    return object.json
  }

  init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    let hidden = try object.readIfPresent(.hidden) { json throws(WireError) in
      try WireForm.list(json, atMost: SyncLimits.columns, WireForm.name)
    }
    let absorbed = try object.readIfPresent(.absorbed) { json throws(WireError) in
      try WireForm.list(json, atMost: SyncLimits.absorbed) { json throws(WireError) in
        try AbsorbedOperation(json: json)
      }
    }
    let operationIdentifier: OperationIdentifier = try object.read(
      .operationIdentifier, WireForm.identifier)
    var batch: (change: OperationChange, selection: RowSelection)?
    let dataIdentifier: DataIdentifier
    let change: OperationChange
    if object[.kind] == .string(batchKind) {
      let read = try object.read(.payload, SyncOperation.batch)
      // The server decides about each row of a batch separately.
      guard object[.group] == nil else {
        throw WireError("the member \"group\" is not allowed in an operation of the kind \"batch\"")
      }
      (batch, change) = (read, read.change)
      dataIdentifier = DataIdentifier(operationIdentifier.text)
    } else {
      dataIdentifier = try object.read(.dataIdentifier, WireForm.identifier)
      change = try OperationChange(operation: object)
    }
    self.init(
      operationIdentifier: operationIdentifier,
      sequence: try object.read(.sequence, WireForm.natural),
      table: try object.read(.table, WireForm.name),
      dataIdentifier: dataIdentifier, change: change,
      timestamp: try object.read(.timestamp, WireForm.integer),
      hybridTimestamp: try object.read(.hybridTimestamp, WireForm.hybridTimestamp),
      knowledge: AuthorKnowledge(
        base: try object.read(.base, WireForm.natural),
        seen: try object.read(.seen, WireForm.natural),
        hidden: Set((hidden ?? []).map { ExactString($0) }),
        baseCursor: try object.read(.baseCursor, WireForm.natural),
        knownHead: try object.readIfPresent(.knownHead, WireForm.natural) ?? 0,
        precedesContact: try object.readIfPresent(.precedesContact, WireForm.bool) ?? false),
      schemaVersion: try object.read(.schema, WireForm.natural), absorbed: absorbed ?? [],
      group: try object.readIfPresent(.group, WireForm.name),
      resolves: try object.readIfPresent(.resolves, WireForm.identifier))
    selection = batch?.selection
  }
}

extension OperationChange {
  var payload: JSONValue {
    var object = WireObject()
    if !values.isEmpty { object[.values] = WireForm.json(values) }
    if !increments.isEmpty { object[.increments] = WireForm.json(increments) }
    if !absolutes.isEmpty { object[.absolutes] = WireForm.json(absolutes) }
    return object.json
  }

  init(operation: WireObject) throws(WireError) {
    let kind: OperationKind = try operation.read(.kind, WireForm.word)
    if kind == .delete {
      self = .delete
      return
    }
    self = try operation.read(.payload) { json throws(WireError) in
      let object = try WireObject(json)
      let values = try object.readIfPresent(.values, WireForm.fields) ?? [:]
      let increments = try object.readIfPresent(.increments, WireForm.counters) ?? [:]
      let absolutes = try object.readIfPresent(.absolutes, WireForm.counters) ?? [:]
      for column in values.keys where increments[column] != nil || absolutes[column] != nil {
        throw WireError(
          """
          the column \(quoted(column.text)) is in the member "set" and also in the member "inc" or \
          "abs"
          """)
      }
      guard kind == .insert || absolutes.isEmpty else {
        throw WireError(
          "the member \"abs\" is allowed only in an operation of the kind \"insert\"")
      }
      return kind == .insert
        ? .insert(values, counters: absolutes, increments: increments)
        : .update(values, increments: increments)
    }
  }
}

extension AbsorbedOperation {
  var json: JSONValue {
    var object = WireObject()
    object[.operationIdentifier] = .string(operationIdentifier.text)
    if !increments.isEmpty { object[.increments] = WireForm.json(increments) }
    return object.json
  }

  init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      try object.read(.operationIdentifier, WireForm.identifier),
      increments: try object.readIfPresent(.increments, WireForm.counters) ?? [:])
  }
}
