import UndercroftCore

/// The members of an object in a message, keyed by their names.
///
/// Unknown members are ignored, so that later versions can add members.
struct WireObject {
  private(set) var members: [ExactString: JSONValue] = [:]

  init() {}

  init(_ json: JSONValue) throws(WireError) {
    guard case .object(let members) = json else {
      throw WireError("expected an object, found \(json.typeName)")
    }
    self.members = members
  }

  var json: JSONValue { .object(members) }

  /// The value of a member, or `nil` if it is missing or null.
  subscript(name: WireName) -> JSONValue? {
    get {
      let value = members[ExactString(name.rawValue)]
      return value == .null ? nil : value
    }
    set { members[ExactString(name.rawValue)] = newValue }
  }

  /// Returns the value of a member that must exist.
  func required(_ name: WireName) throws(WireError) -> JSONValue {
    guard let value = self[name] else {
      throw WireError("the member \(quoted(name.rawValue)) is missing or null")
    }
    return value
  }

  /// Returns the value of a member that must exist, converted by `read`.
  ///
  /// The path of an error contains the name of the member.
  func read<Value>(
    _ name: WireName, _ read: (JSONValue) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    let value = try required(name)
    do throws(WireError) { return try read(value) } catch { throw error.inside(name.rawValue) }
  }

  /// Returns the value of a member, converted by `read`, or `nil` if the member is missing or null.
  ///
  /// The path of an error contains the name of the member.
  func readIfPresent<Value>(
    _ name: WireName, _ read: (JSONValue) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    self[name] == nil ? nil : try self.read(name, read)
  }
}
