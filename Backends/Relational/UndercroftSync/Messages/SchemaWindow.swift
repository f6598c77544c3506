/// The versions of the schema that a server supports.
public struct SchemaWindow: Hashable, Sendable {
  /// The oldest version of the schema with which a replica may pull.
  public var minimumPull: Int64
  /// The oldest version of the schema with which a replica may push.
  public var minimumPush: Int64
  /// The version of the schema of the server.
  public var current: Int64

  /// Creates a window from its versions; by default, the window contains all versions.
  public init(minimumPull: Int64 = 0, minimumPush: Int64 = 0, current: Int64 = 1) {
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
