import UndercroftCore

/// The first request of a replica, which asks for limits and for the state of scopes.
package struct HelloRequest: Hashable, Sendable, WireMessage {
  package static let messageName = "hello request"

  package var replica: ReplicaIdentifier
  package var account: String
  package var schemaVersion: Int64
  package var scopes: [ScopeIdentifier]
  /// The optional features that the replica supports beyond the protocol, such as "gzip".
  package var capabilities: [String]
  /// The application and its version, for logs.
  package var app: String?
  /// The time of this request by the clock of the device, in milliseconds since 1970.
  ///
  /// The answer repeats this time.
  package var startTime: Int64

  package init(
    replica: ReplicaIdentifier, account: String, schemaVersion: Int64 = 1,
    scopes: [ScopeIdentifier], capabilities: [String] = [], app: String? = nil, startTime: Int64
  ) {
    self.replica = replica
    self.account = account
    self.schemaVersion = schemaVersion
    self.scopes = scopes
    self.capabilities = capabilities
    self.app = app
    self.startTime = startTime
  }

  package var json: JSONValue {
    var object = WireObject()
    object[.replica] = .string(replica.text)
    object[.account] = .string(account)
    object[.schema] = .integer(schemaVersion)
    object[.scopes] = .array(scopes.map { .string($0.text) })
    if !capabilities.isEmpty { object[.capabilities] = .array(capabilities.map { .string($0) }) }
    if let app { object[.app] = .string(app) }
    object[.startTime] = .integer(startTime)
    return object.json
  }

  package init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      replica: try object.read(.replica, WireForm.identifier),
      account: try object.read(.account, WireForm.name),
      schemaVersion: try object.read(.schema, WireForm.natural),
      scopes: try object.read(.scopes) { json throws(WireError) in
        try WireForm.list(json, atMost: SyncLimits.elements, WireForm.identifier)
      },
      capabilities: try object.readIfPresent(.capabilities) { json throws(WireError) in
        try WireForm.list(json, atMost: SyncLimits.elements, WireForm.name)
      } ?? [], app: try object.readIfPresent(.app, WireForm.name),
      startTime: try object.read(.startTime, WireForm.integer))
  }
}
