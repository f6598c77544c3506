import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// All rows and conflicts that a new replica pulls from a server.
struct SyncContents {
  /// The version and the columns of a row on the server.
  struct StoredRow {
    let version: Int64
    let fields: FieldValues
  }

  private(set) var rows: [String: [String: StoredRow]] = [:]
  private(set) var conflicts: [SyncConflict] = []
  private let digest: ScopeDigest

  /// Pulls all rows of a scope, and all conflicts of an account.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the server refuses the snapshot.
  init(
    of server: SyncServer, scope: ScopeIdentifier = SyncPlace.scope,
    account: String = SyncPlace.account
  ) throws {
    digest = try server.digest(
      DigestRequest(scope: scope, version: 0), account: account
    ).digest
    var request = PullRequest(
      scope: scope, epoch: nil, replica: "observer", mode: .snapshot)
    while true {
      switch try server.pull(request, account: account) {
      case .refused(.epoch(let epoch)) where request.epoch == nil: request.epoch = epoch
      case .refused(let refusal):
        throw StorageError(
          .misuse,
          "cannot pull a snapshot of the scope \(quoted(scope.text)): the server answers "
            + "\(refusal)",
          suggestion: "verify that no other process restores or compacts the store")
      case .page(let page):
        conflicts += page.conflicts
        for row in page.rows {
          rows[row.table, default: [:]][row.dataIdentifier.text] = row.fields.map {
            StoredRow(version: row.version, fields: $0)
          }
        }
        guard page.hasMore else { return }
        request.cursor = page.to
        request.snapshotFloor = request.snapshotFloor ?? page.floor
      }
    }
  }

  /// Returns a text for each difference between a client's database and the server.
  ///
  /// Compares the rows, their versions and the digest of the scope.
  func differences(from database: Database) throws -> [String] {
    var problems: [String] = []
    var sum = ScopeDigest()
    for table in SyncPlace.tables.map(\.name) {
      let found = try Self.rows(of: table, in: database)
      let expected = rows[table] ?? [:]
      for identifier in Set(found.keys).union(expected.keys).sorted()
      where found[identifier] != expected[identifier]?.fields {
        problems.append(
          "\(table) \(identifier) is \(found[identifier].map { "\($0)" } ?? "missing") here, and "
            + (expected[identifier].map { "\($0.fields)" } ?? "missing") + " on the server")
      }
      for (identifier, version) in try Self.versions(of: table, in: database) {
        sum.add(table: table, row: DataIdentifier(identifier), version: version)
        if version != expected[identifier]?.version {
          problems.append(
            "\(table) \(identifier) has the version \(version) here, and "
              + "\(expected[identifier]?.version ?? 0) on the server")
        }
      }
    }
    if sum != digest {
      problems.append("the digest is \(sum) here, and \(digest) on the server")
    }
    return problems
  }

  private static func rows(
    of table: String, in database: Database
  ) throws -> [String: FieldValues] {
    var found: [String: FieldValues] = [:]
    let columns: [String] = try database.fetchAll(
      "SELECT name FROM pragma_table_info(\(table)) ORDER BY cid"
    ) { row in try row[0] }
    try database.read { db in
      try db.forEach("SELECT * FROM \(identifier: table)") { row in
        var fields: FieldValues = [:]
        for (index, column) in columns.enumerated() where column != "id" {
          fields[ExactString(column)] = SyncValue(try row[index] as SQLValue)
        }
        found[try row[0]] = fields
      }
    }
    return found
  }

  private static func versions(
    of table: String, in database: Database
  ) throws -> [(String, Int64)] {
    try database.fetchAll(
      """
      SELECT r.primary_key, r.version FROM sync_record r JOIN sync_table t USING (table_id)
      WHERE t.name = \(table)
      """
    ) { row in (try row[0], try row[1]) }
  }
}
