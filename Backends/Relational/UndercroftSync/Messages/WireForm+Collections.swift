import UndercroftCore

extension WireForm {
  /// Returns the elements of a JSON array, each converted by `read`.
  ///
  /// - Throws: ``WireError`` if `json` is not an array or has more than `limit` elements, or the
  ///   error of `read` with the index of the element in its path.
  static func list<Element>(
    _ json: JSONValue, atMost limit: Int,
    _ read: (JSONValue) throws(WireError) -> Element
  ) throws(WireError) -> [Element] {
    guard case .array(let values) = json else { throw mismatch("an array", json) }
    try validate(count: values.count, of: "values", atMost: limit)
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do throws(WireError) { elements.append(try read(value)) } catch {
        throw error.inside("[\(index)]")
      }
    }
    return elements
  }

  /// Returns the members of a JSON object whose names are columns, each converted by `read`.
  ///
  /// - Throws: ``WireError`` if `json` is not an object or a name is invalid, or the error of
  ///   `read` with the name of the column in its path.
  static func columns<Value>(
    _ json: JSONValue, _ read: (JSONValue) throws(WireError) -> Value
  ) throws(WireError) -> [ExactString: Value] {
    guard case .object(let members) = json else { throw mismatch("an object", json) }
    try validate(count: members.count, of: "columns", atMost: SyncLimits.columns)
    var columns: [ExactString: Value] = [:]
    columns.reserveCapacity(members.count)
    for (name, value) in members {
      try validate(name: name.text, as: "column name")
      do throws(WireError) { columns[name] = try read(value) } catch {
        throw error.inside(name.text)
      }
    }
    return columns
  }

  static func validate(
    count: Int, of objects: String, atMost limit: Int
  ) throws(WireError) {
    guard count <= limit else {
      throw WireError("expected at most \(limit) \(objects), found \(count)", code: .tooLarge)
    }
  }

  static func fields(_ json: JSONValue) throws(WireError) -> FieldValues {
    try columns(json) { json throws(WireError) in try SyncValue(json: json) }
  }

  /// Returns the values of counters from a JSON object, whose members can be any 64-bit integers.
  static func counters(_ json: JSONValue) throws(WireError) -> CounterValues {
    try columns(json) { json throws(WireError) in
      guard case .integer(let value) = try SyncValue(json: json) else {
        throw mismatch("an integer", json)
      }
      return value
    }
  }

  static func json(_ fields: FieldValues) -> JSONValue { .object(fields.mapValues(\.json)) }

  static func json(_ counters: CounterValues) -> JSONValue {
    .object(counters.mapValues { SyncValue.integer($0).json })
  }

  static func json(_ identifier: (some SyncIdentifier)?) -> JSONValue {
    identifier.map { .string($0.text) } ?? .null
  }

  static func json(_ names: some Sequence<ExactString>) -> JSONValue {
    .array(names.sorted().map { .string($0.text) })
  }
}
