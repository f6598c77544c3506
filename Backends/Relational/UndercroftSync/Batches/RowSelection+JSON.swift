import UndercroftCore

/// The kind of an operation with a ``RowSelection``, in the operation queue (`sync_to_sync`) and in
/// messages.
let batchKind = "batch"

extension SyncOperation {
  /// Returns the JSON payload of an operation that changes the rows of a selection.
  func batchPayload(_ selection: RowSelection) -> JSONValue {
    var object = WireObject()
    object[.kind] = .string(change.kind.rawValue)
    if !change.values.isEmpty { object[.values] = WireForm.json(change.values) }
    object[.condition] = selection.condition.json
    if !selection.identifiers.isEmpty {
      object[.identifiers] = WireForm.json(selection.identifiers.map(\.exact))
    }
    return object.json
  }

  /// Reads the change and the selection of rows from the payload of an operation.
  static func batch(
    payload json: JSONValue
  ) throws(WireError) -> (change: OperationChange, selection: RowSelection) {
    let object = try WireObject(json)
    let kind: OperationKind = try object.read(.kind, WireForm.word)
    let values = try object.readIfPresent(.values, WireForm.fields) ?? [:]
    let change: OperationChange
    switch kind {
    case .update: change = .update(values)
    case .delete: change = .delete
    case .insert:
      throw WireError(
        """
        expected "update" or "delete", because an operation of the kind "batch" cannot insert rows
        """
      )
      .inside(WireName.kind.rawValue)
    }
    let condition = try object.read(.condition) { json throws(WireError) in
      var count = 0
      return try RowCondition(json: json, depth: 1, &count)
    }
    let identifiers: [DataIdentifier]? = try object.readIfPresent(.identifiers) {
      json throws(WireError) in
      try WireForm.list(json, atMost: SyncLimits.selectedRows, WireForm.identifier)
    }
    return (change, RowSelection(condition, identifiers: identifiers ?? []))
  }
}

extension RowCondition {
  var json: JSONValue {
    var object = WireObject()
    switch self {
    case .column(let column, let comparison, let value):
      object[.column] = .string(column.text)
      object[.comparison] = .string(comparison.rawValue)
      if value.stored != .null { object[.value] = value.json }
    case .identifiers(let identifiers):
      object[.identifiers] = WireForm.json(identifiers.map(\.exact))
    case .all(let conditions): object[.all] = .array(conditions.map(\.json))
    case .any(let conditions): object[.any] = .array(conditions.map(\.json))
    case .not(let condition): object[.not] = condition.json
    }
    return object.json
  }

  fileprivate init(json: JSONValue, depth: Int, _ count: inout Int) throws(WireError) {
    count += 1
    guard depth <= Self.maximumDepth, count <= Self.maximumCount else {
      throw WireError(
        depth > Self.maximumDepth
          ? "the condition is nested more than \(Self.maximumDepth) levels deep"
          : "the operation contains more than \(Self.maximumCount) conditions",
        code: .tooLarge)
    }
    let object = try WireObject(json)
    guard object.members.count == 1 else {
      self = .column(
        ExactString(try object.read(.column, WireForm.name)),
        try object.read(.comparison, WireForm.word),
        try object.readIfPresent(.value) { json throws(WireError) in try SyncValue(json: json) }
          ?? .null)
      try Self.requireMembers(of: object, [.column, .comparison, .value])
      return
    }
    if object[.not] != nil {
      self = .not(try RowCondition(json: object.required(.not), depth: depth + 1, &count))
    } else if object[.identifiers] != nil {
      let identifiers: [DataIdentifier] = try object.read(.identifiers) { json throws(WireError) in
        try WireForm.list(json, atMost: SyncLimits.selectedRows, WireForm.identifier)
      }
      self = .identifiers(Set(identifiers))
    } else if object[.all] != nil {
      self = .all(try Self.list(object, .all, depth, &count))
    } else if object[.any] != nil {
      self = .any(try Self.list(object, .any, depth, &count))
    } else {
      let name = quoted(WireError.shortened(object.members.keys.first?.text ?? ""))
      throw WireError(
        "this version of the library does not support a condition whose only member is \(name)",
        code: .notSupported)
    }
  }

  private static func list(
    _ object: WireObject, _ name: WireName, _ depth: Int, _ count: inout Int
  ) throws(WireError) -> [RowCondition] {
    let json = try object.required(name)
    guard case .array(let values) = json else {
      throw WireForm.mismatch("an array", json).inside(name.rawValue)
    }
    var conditions: [RowCondition] = []
    for (index, value) in values.enumerated() {
      do throws(WireError) {
        conditions.append(try RowCondition(json: value, depth: depth + 1, &count))
      } catch {
        throw error.inside("[\(index)]").inside(name.rawValue)
      }
    }
    return conditions
  }

  /// Throws if an object has members other than `names`, because ignoring an unknown part of a
  /// condition would select other rows.
  private static func requireMembers(
    of object: WireObject, _ names: [WireName]
  ) throws(WireError) {
    let known = Set(names.map { ExactString($0.rawValue) })
    guard object.members.keys.allSatisfy({ known.contains($0) }) else {
      let unknown = object.members.keys.filter { !known.contains($0) }.min()?.text ?? ""
      throw WireError(
        """
        expected only the members \(names.map { quoted($0.rawValue) }.joined(separator: ", ")) in \
        a condition that compares a column, found \(quoted(WireError.shortened(unknown))), which \
        this version of the library does not support
        """, code: .notSupported)
    }
  }
}
