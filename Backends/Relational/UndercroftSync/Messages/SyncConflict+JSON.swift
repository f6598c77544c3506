import UndercroftCore

extension SyncConflict {
  var json: JSONValue {
    var object = WireObject()
    object[.conflict] = .string(conflictIdentifier.text)
    object[.kind] = .string(kind.rawValue)
    if let policy { object[.policy] = .string(policy) }
    object[.table] = .string(table)
    object[.dataIdentifier] = .string(dataIdentifier.text)
    object[.operationIdentifier] = .string(operationIdentifier.text)
    object[.change] = .string(change.rawValue)
    operationAuthor.write(to: &object)
    if let rowAuthor {
      var author = WireObject()
      rowAuthor.write(to: &author)
      object[.rowAuthor] = author.json
    }
    if !values.isEmpty { object[.values] = .object(values.mapValues(\.json)) }
    if !increments.isEmpty { object[.increments] = WireForm.json(increments) }
    object[.version] = .integer(version)
    if let message { object[.message] = .string(message) }
    if let resolvedBy { object[.resolvedBy] = .string(resolvedBy.text) }
    return object.json
  }

  /// Creates a conflict from its JSON form.
  ///
  /// - Parameter isLocal: whether the conflict was read from the database of this replica, and not
  ///   from a message. If `true`, the identifier of the row can be a text that messages do not
  ///   permit. The replica cannot send such a row, and stores a conflict for it instead.
  package init(json: JSONValue, isLocal: Bool = false) throws(WireError) {
    let object = try WireObject(json)
    let row: DataIdentifier =
      try isLocal
      ? DataIdentifier(object.read(.dataIdentifier, WireForm.text))
      : object.read(.dataIdentifier, WireForm.identifier)
    self.init(
      conflictIdentifier: try object.read(.conflict, WireForm.identifier),
      kind: try object.read(.kind, WireForm.word),
      policy: try object.readIfPresent(.policy, WireForm.name),
      table: try object.read(.table, WireForm.name),
      dataIdentifier: row,
      operationIdentifier: try object.read(.operationIdentifier, WireForm.identifier),
      change: try object.read(.change, WireForm.word),
      operationAuthor: try ChangeAuthor(object),
      rowAuthor: try object.readIfPresent(.rowAuthor) { json throws(WireError) in
        try ChangeAuthor(WireObject(json))
      },
      values: try object.readIfPresent(.values) { json throws(WireError) in
        try WireForm.columns(json) { json throws(WireError) in try AuthoredValue(json: json) }
      } ?? [:], increments: try object.readIfPresent(.increments, WireForm.counters) ?? [:],
      version: try object.read(.version, WireForm.natural),
      message: try object.readIfPresent(.message, WireForm.text),
      resolvedBy: try object.readIfPresent(.resolvedBy, WireForm.identifier))
  }
}

extension ChangeAuthor {
  func write(to object: inout WireObject) {
    object[.replica] = .string(replica.text)
    object[.hybridTimestamp] = .string(hybridTimestamp.digits)
  }

  init(_ object: WireObject) throws(WireError) {
    self.init(
      replica: try object.read(.replica, WireForm.identifier),
      hybridTimestamp: try object.read(.hybridTimestamp, WireForm.hybridTimestamp))
  }
}

extension AuthoredValue {
  fileprivate var json: JSONValue {
    var object = WireObject()
    // NULL is written as a missing member.
    object[.value] = value.json
    author.write(to: &object)
    return object.json
  }

  fileprivate init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      value: try object.readIfPresent(.value) { json throws(WireError) in
        try SyncValue(json: json)
      } ?? .null, author: try ChangeAuthor(object))
  }
}
