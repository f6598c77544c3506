import UndercroftCore

/// The state of a scope on the server.
package struct ScopeState: Hashable, Sendable {
  package var scope: ScopeIdentifier
  package var epoch: Epoch
  /// The version of the last change in the scope.
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

extension ScopeState {
  var json: JSONValue {
    var object = WireObject()
    object[.scope] = .string(scope.text)
    object[.epoch] = .string(epoch.text)
    object[.head] = .integer(head)
    object[.floor] = .integer(floor)
    object[.canWrite] = .bool(canWrite)
    return object.json
  }

  init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      scope: try object.read(.scope, WireForm.identifier),
      epoch: try object.read(.epoch, WireForm.identifier),
      head: try object.read(.head, WireForm.natural),
      floor: try object.read(.floor, WireForm.natural),
      canWrite: try object.read(.canWrite, WireForm.bool))
  }
}
