import UndercroftCore

/// The versions of the schema that a server supports.
package struct SchemaWindow: Hashable, Sendable {
  /// The oldest version that may pull.
  package var minimumPull: Int64
  /// The oldest version that may push.
  package var minimumPush: Int64
  package var current: Int64

  package init(minimumPull: Int64, minimumPush: Int64, current: Int64) {
    self.minimumPull = minimumPull
    self.minimumPush = minimumPush
    self.current = current
  }
}

/// The state of a scope on the server.
package struct ScopeState: Hashable, Sendable {
  package var scope: ScopeIdentifier
  package var epoch: Epoch
  /// The version of the last change.
  package var head: Int64
  /// The version up to which the server has deleted tombstones.
  package var floor: Int64
  package var canWrite: Bool

  package init(
    scope: ScopeIdentifier, epoch: Epoch, head: Int64, floor: Int64, canWrite: Bool
  ) {
    self.scope = scope
    self.epoch = epoch
    self.head = head
    self.floor = floor
    self.canWrite = canWrite
  }
}

/// The answer of a server to a hello.
package struct HelloAnswer: Hashable, Sendable, WireMessage {
  package static let messageName = "answer to a hello"

  package var serverTime: Int64
  package var startTime: Int64
  package var limits: SyncLimits
  package var schema: SchemaWindow
  package var scopes: [ScopeState]

  package init(
    serverTime: Int64, startTime: Int64, limits: SyncLimits = SyncLimits(), schema: SchemaWindow,
    scopes: [ScopeState]
  ) {
    self.serverTime = serverTime
    self.startTime = startTime
    self.limits = limits
    self.schema = schema
    self.scopes = scopes
  }

  package var json: JSONValue {
    var object = WireObject()
    object[.serverTime] = .integer(serverTime)
    object[.startTime] = .integer(startTime)
    object[.limits] = limits.json
    object[.schema] = schema.json
    object[.scopes] = .array(scopes.map(\.json))
    return object.json
  }

  package init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      serverTime: try object.read(.serverTime, WireForm.integer),
      startTime: try object.read(.startTime, WireForm.integer),
      limits: try object.read(.limits) { json throws(WireError) in try SyncLimits(json: json) },
      schema: try object.read(.schema) { json throws(WireError) in try SchemaWindow(json: json) },
      scopes: try object.read(.scopes) { json throws(WireError) in
        try WireForm.list(json, atMost: SyncLimits.elements) { json throws(WireError) in
          try ScopeState(json: json)
        }
      })
  }
}

extension SyncLimits {
  fileprivate var json: JSONValue {
    var object = WireObject()
    object[.operations] = .integer(Int64(operations))
    object[.bytes] = .integer(Int64(bytes))
    object[.window] = .integer(Int64(window))
    object[.held] = .integer(Int64(heldPackets))
    object[.page] = .integer(Int64(pageRows))
    object[.maximumDrift] = .integer(maximumDrift)
    return object.json
  }

  fileprivate init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    func count(_ name: WireName) throws(WireError) -> Int {
      try object.read(name) { json throws(WireError) in
        let count = try WireForm.natural(json)
        guard count > 0 else { throw WireError("a limit of 0 allows nothing") }
        return Int(clamping: count)
      }
    }
    self.init()
    operations = try count(.operations)
    bytes = try count(.bytes)
    window = try count(.window)
    heldPackets = try count(.held)
    pageRows = try count(.page)
    maximumDrift = try object.read(.maximumDrift, WireForm.natural)
  }
}

extension SchemaWindow {
  fileprivate var json: JSONValue {
    var object = WireObject()
    object[.minimumPull] = .integer(minimumPull)
    object[.minimumPush] = .integer(minimumPush)
    object[.current] = .integer(current)
    return object.json
  }

  fileprivate init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      minimumPull: try object.read(.minimumPull, WireForm.natural),
      minimumPush: try object.read(.minimumPush, WireForm.natural),
      current: try object.read(.current, WireForm.natural))
  }
}

extension ScopeState {
  fileprivate var json: JSONValue {
    var object = WireObject()
    object[.scope] = .string(scope.text)
    object[.epoch] = .string(epoch.text)
    object[.head] = .integer(head)
    object[.floor] = .integer(floor)
    object[.canWrite] = .bool(canWrite)
    return object.json
  }

  fileprivate init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      scope: try object.read(.scope, WireForm.identifier),
      epoch: try object.read(.epoch, WireForm.identifier),
      head: try object.read(.head, WireForm.natural),
      floor: try object.read(.floor, WireForm.natural),
      canWrite: try object.read(.canWrite, WireForm.bool))
  }
}
