package import UndercroftCore
import UndercroftFoundation

extension ServerRecord {
  /// Creates the row from its stored form.
  package init(_ stored: StoredRecord) throws(StorageError) {
    self = try StoredBody.read(
      stored.body, of: "stored row \(quoted("\(stored.table)/\(stored.dataIdentifier)"))"
    ) { json throws(WireError) in
      let object = try WireObject(json)
      let author = try ChangeAuthor(object)
      return ServerRecord(
        version: stored.version, isDeleted: stored.isDeleted,
        hybridTimestamp: author.hybridTimestamp, writer: author.replica,
        fields: try object.read(.fields, WireForm.fields),
        writes: try object.readIfPresent(.writes, Self.writes) ?? [:],
        additions: try object.readIfPresent(.additions) { json throws(WireError) in
          try WireForm.columns(json) { json throws(WireError) in try CounterWrites(json: json) }
        } ?? [:], isRetained: try object.readIfPresent(.retained, WireForm.bool) ?? false)
    }
  }

  /// Returns the row as a store contains it, with its values and their authors encoded as JSON.
  func stored(at address: RowAddress) -> StoredRecord {
    StoredRecord(
      table: address.table.text, dataIdentifier: address.dataIdentifier, version: version,
      isDeleted: isDeleted, body: StoredBody.data(body), isRetained: isDeleted && isRetained)
  }

  private var body: JSONValue {
    var object = WireObject()
    author.write(to: &object)
    object[.fields] = WireForm.json(fields)
    if !writes.isEmpty { object[.writes] = Self.json(writes) }
    if !additions.isEmpty { object[.additions] = .object(additions.mapValues(\.json)) }
    if isRetained { object[.retained] = .bool(true) }
    return object.json
  }

  /// Returns the writes as a JSON array, in which columns with equal writes share one element.
  ///
  /// One operation often writes many columns, so this form is shorter than one element for each
  /// column.
  private static func json(_ writes: [ExactString: FieldWrite]) -> JSONValue {
    let columns = Dictionary(grouping: writes.keys) { writes[$0] }
    let sorted = columns.compactMap { write, columns in write.map { ($0, columns.sorted()) } }
      .sorted { $0.1.lexicographicallyPrecedes($1.1) }
    return .array(
      sorted.map { write, columns in
        var object = write.object
        object[.columns] = .array(columns.map { .string($0.text) })
        return object.json
      })
  }

  private static func writes(_ json: JSONValue) throws(WireError) -> [ExactString: FieldWrite] {
    let groups = try WireForm.list(json, atMost: SyncLimits.columns) { json throws(WireError) in
      let object = try WireObject(json)
      let columns = try object.read(.columns) { json throws(WireError) in
        try WireForm.list(json, atMost: SyncLimits.columns, WireForm.name)
      }
      return (write: try FieldWrite(object), columns: columns)
    }
    return groups.reduce(into: [:]) { writes, group in
      for column in group.columns { writes[column.exact] = group.write }
    }
  }
}

extension FieldWrite {
  fileprivate var object: WireObject {
    var object = WireObject()
    author.write(to: &object)
    object[.version] = .integer(version)
    return object
  }

  fileprivate init(_ object: WireObject) throws(WireError) {
    self.init(
      version: try object.read(.version, WireForm.natural), author: try ChangeAuthor(object))
  }
}

extension CounterWrites {
  fileprivate var json: JSONValue {
    var object = WireObject()
    object[.last] = last.object.json
    if let lastByOther { object[.other] = lastByOther.object.json }
    return object.json
  }

  fileprivate init(json: JSONValue) throws(WireError) {
    func write(_ json: JSONValue) throws(WireError) -> FieldWrite {
      try FieldWrite(try WireObject(json))
    }
    let object = try WireObject(json)
    self.init(
      last: try object.read(.last, write), lastByOther: try object.readIfPresent(.other, write))
  }
}
