package import UndercroftCore

/// The names of a table's policies, as a server announces them to replicas.
package struct PolicyNames: Hashable, Sendable {
  package var columnDefault: String
  /// The policies of single columns, by the names of the columns in lower case.
  package var columns: [ExactString: String]
  package var deletion: String

  package init(_ policy: TablePolicy = TablePolicy()) {
    columnDefault = policy.columnDefault.name
    columns = [:]
    for (column, policy) in policy.columns { columns[column.lowercased] = policy.name }
    deletion = policy.deletion.rawValue
  }
}

extension PolicyNames {
  var json: JSONValue {
    var object = WireObject()
    object[.policy] = .string(columnDefault)
    if !columns.isEmpty { object[.columns] = .object(columns.mapValues { .string($0) }) }
    object[.deletion] = .string(deletion)
    return object.json
  }

  /// Reads the names, which can be those of policies that this version does not know.
  init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    columnDefault = try object.read(.policy, WireForm.name)
    columns =
      try object.readIfPresent(.columns) { json throws(WireError) in
        try WireForm.columns(json, WireForm.name)
      } ?? [:]
    deletion = try object.read(.deletion, WireForm.name)
  }
}
