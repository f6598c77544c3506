/// The versions of the schema that a server supports.
package struct SchemaWindow: Hashable, Sendable {
  /// The oldest version of the schema with which a replica may pull.
  package var minimumPull: Int64
  /// The oldest version of the schema with which a replica may push.
  package var minimumPush: Int64
  package var current: Int64

  package init(minimumPull: Int64, minimumPush: Int64, current: Int64) {
    self.minimumPull = minimumPull
    self.minimumPush = minimumPush
    self.current = current
  }
}

extension SchemaWindow {
  var json: JSONValue {
    var object = WireObject()
    object[.minimumPull] = .integer(minimumPull)
    object[.minimumPush] = .integer(minimumPush)
    object[.current] = .integer(current)
    return object.json
  }

  init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      minimumPull: try object.read(.minimumPull, WireForm.natural),
      minimumPush: try object.read(.minimumPush, WireForm.natural),
      current: try object.read(.current, WireForm.natural))
  }
}
