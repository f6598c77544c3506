import UndercroftCore

extension OperationResult {
  var json: JSONValue {
    var object = WireObject()
    object[.operationIdentifier] = .string(operationIdentifier.text)
    object[.sequence] = .integer(sequence)
    object[.status] = .string(status.rawValue)
    object[.version] = .integer(version)
    if !lost.isEmpty { object[.lost] = WireForm.json(lost.map(\.exact)) }
    if !conflicts.isEmpty { object[.conflicts] = .array(conflicts.map { .string($0.text) }) }
    if let rejection {
      object[.code] = .string(rejection.code)
      object[.message] = .string(rejection.message)
    }
    return object.json
  }

  init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    try self.init(
      operationIdentifier: try object.read(.operationIdentifier, WireForm.identifier),
      sequence: try object.read(.sequence, WireForm.natural), object)
  }

  /// Creates a result from a JSON object that contains neither the identifier nor the sequence
  /// number of the operation.
  init(
    operationIdentifier: OperationIdentifier, sequence: Int64, _ object: WireObject
  ) throws(WireError) {
    let conflicts: [ConflictIdentifier]? = try object.readIfPresent(.conflicts) {
      json throws(WireError) in
      try WireForm.list(json, atMost: SyncConflict.Kind.allCases.count, WireForm.identifier)
    }
    var rejection: OperationRejection?
    if let code = try object.readIfPresent(.code, WireForm.name) {
      rejection = OperationRejection(
        code: code, message: try object.read(.message, WireForm.text))
    }
    self.init(
      operationIdentifier: operationIdentifier, sequence: sequence,
      status: try object.read(.status, WireForm.word),
      version: try object.read(.version, WireForm.natural),
      lost: try object.readIfPresent(.lost) { json throws(WireError) in
        try WireForm.list(json, atMost: SyncLimits.columns, WireForm.name)
      } ?? [], conflicts: conflicts ?? [], rejection: rejection)
  }
}
