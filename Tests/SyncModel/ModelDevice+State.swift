import UndercroftCore
import UndercroftSQLite
import UndercroftSync

extension ModelDevice {
  /// Returns the state of the device in the form that a trace contains.
  ///
  /// The state consists of the rows, the operations that are sealed for sending, and the cursors.
  func state() throws -> JSONValue {
    let state = try replica.state()
    let clock: Int64 = try database.fetchValue("SELECT hlc FROM sync_clock")
    return .members([
      "rows": try rows(), "queue": try queue(), "seq": .digits(state.chain.count),
      "rt": .digits(state.resultsThrough), "dl": .digits(state.downloadCursor),
      "ap": .digits(state.appliedCursor), "cc": .digits(state.consistentCursor),
      "mode": .string(state.mode.rawValue), "gen": .digits(state.generation),
      "floor": state.snapshotFloor.map { .digits($0) } ?? .null,
      "replica": .string(state.replica.text), "clock": .digits(clock),
    ])
  }

  private func rows() throws -> JSONValue {
    let columns = ["a", "b"] + (schemaVersion == 1 ? [] : ["c"]) + ["n"]
    var rows: [String: JSONValue] = [:]
    try database.read { db in
      try db.forEach(
        """
        SELECT i.*, (SELECT version FROM sync_record r WHERE r.primary_key = i.id)
        FROM (SELECT id, \(columns.map { "\(identifier: $0)" as SQL }.joined(separator: ", "))
          FROM item) i
        """
      ) { row in
        var values: [String: JSONValue] = [:]
        for (index, column) in columns.enumerated() {
          switch try row[index + 1] as SQLValue {
          case .null: values[column] = .null
          case .integer(let integer): values[column] = SyncValue.integer(integer).traced
          case .text(let text): values[column] = .string(text)
          case let other: values[column] = .string("\(other)")
          }
        }
        let version = try row[columns.count + 1] as Int64? ?? 0
        rows[try row[0]] = .array([.digits(version), .members(values)])
      }
    }
    return .members(rows)
  }

  private func queue() throws -> JSONValue {
    .array(
      try database.fetchAll(
        """
        SELECT coalesce(o.sequence, 0), coalesce(r.primary_key, r.identifier, ''), o.state,
          coalesce(o.server_version, 0)
        FROM sync_to_sync o LEFT JOIN sync_record r USING (record_id)
        WHERE o.state IN ('sealed', 'confirmed', 'acked') ORDER BY o.local_id
        """
      ) { row in
        .array([
          .digits(try row[0]), .string(try row[1]), .string(try row[2]), .digits(try row[3]),
        ])
      })
  }

  /// Returns the digest of all rows whose versions the device has stored.
  func digest() throws -> ScopeDigest {
    var digest = ScopeDigest()
    let rows = try database.fetchAll("SELECT primary_key, version FROM sync_record") { row in
      (try row[0] as String, try row[1] as Int64)
    }
    for (row, version) in rows {
      digest.add(table: Self.table, row: DataIdentifier(row), version: version)
    }
    return digest
  }
}

extension SyncPacket {
  /// The packet in the form that a trace contains.
  ///
  /// The form has no identifiers of operations, because they are random. It lists a hidden column
  /// only if the operation has a value for the column.
  var traced: JSONValue {
    .members([
      "rt": .digits(resultsThrough), "ops": .array(operations.map(\.traced)),
    ])
  }
}

extension SyncOperation {
  fileprivate var traced: JSONValue {
    let hidden = knowledge.hidden.filter { change.values[$0] != nil }.sorted()
    var members: [String: JSONValue] = [
      "seq": .digits(sequence), "id": .string(dataIdentifier.text),
      "kind": .string(change.kind.rawValue), "hlc": .digits(hybridTimestamp.rawValue),
      "ts": .digits(timestamp), "base": .digits(knowledge.base),
      "seen": .digits(knowledge.seen), "cursor": .digits(knowledge.baseCursor),
      "head": .digits(knowledge.knownHead), "precedes": .integer(knowledge.precedesContact ? 1 : 0),
      "set": .values(change.values), "hidden": .array(hidden.map { .string($0.text) }),
    ]
    if change.kind != .delete {
      members["inc"] = .digits(change.increments["n"] ?? 0)
      members["absorbed"] = .array(absorbed.map { .digits($0.increments["n"] ?? 0) })
    }
    if change.kind == .insert { members["abs"] = .digits(change.absolutes["n"] ?? 0) }
    return .members(members)
  }
}
