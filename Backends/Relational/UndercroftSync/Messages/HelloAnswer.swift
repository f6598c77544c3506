package import UndercroftCore

/// The answer of a server to a ``HelloRequest``: its limits and the states of the scopes.
package struct HelloAnswer: Hashable, Sendable, WireMessage {
  package static let messageName = "answer to a hello request"

  package var serverTime: Int64
  package var startTime: Int64
  package var limits: SyncLimits
  package var schema: SchemaWindow
  package var scopes: [ScopeState]
  /// The policies with which the server was created, keyed by table name in lower case, or `nil` if
  /// the server does not announce policies.
  ///
  /// A table without an entry has the default policies.
  package var policies: [ExactString: PolicyNames]?

  package init(
    serverTime: Int64, startTime: Int64, limits: SyncLimits = SyncLimits(), schema: SchemaWindow,
    scopes: [ScopeState], policies: [ExactString: PolicyNames]? = nil
  ) {
    self.serverTime = serverTime
    self.startTime = startTime
    self.limits = limits
    self.schema = schema
    self.scopes = scopes
    self.policies = policies
  }

  package var json: JSONValue {
    var object = WireObject()
    object[.serverTime] = .integer(serverTime)
    object[.startTime] = .integer(startTime)
    object[.limits] = limits.json
    object[.schema] = schema.json
    object[.scopes] = .array(scopes.map(\.json))
    if let policies { object[.policies] = .object(policies.mapValues(\.json)) }
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
      },
      policies: try object.readIfPresent(.policies) { json throws(WireError) in
        try WireForm.columns(json) { json throws(WireError) in try PolicyNames(json: json) }
      })
  }
}
