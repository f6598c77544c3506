import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of a database whose synchronisation tables were written by a later version of the library.
@Suite struct ReplicaFormatTests {
  private static let uses: [(String, @Sendable (Replica) throws -> Void)] = [
    ("state", { replica in _ = try replica.state() }),
    ("queue", { replica in _ = try replica.queue() }),
    ("staged entries", { replica in _ = try replica.hasStagedEntries() }),
    ("seal", { replica in _ = try replica.seal(limit: 1) }),
    ("packets", { replica in _ = try replica.packets(operations: 1, bytes: 1) }),
    ("pull request", { replica in _ = try replica.pullRequest(limit: 1) }),
    ("execute", { replica in _ = try replica.execute(limit: 1) }),
    ("extras", { replica in try replica.adoptExtras() }),
    (
      "lease", { replica in _ = try replica.acquireLease(owner: "process", milliseconds: 1) }
    ),
    ("release", { replica in try replica.releaseLease(owner: "process") }),
    ("refresh", { replica in try replica.database.write { db in try SyncSchema.refresh(in: db) } }),
    (
      "suspend",
      { replica in try replica.database.write { db in try SyncSchema.suspendTriggers(in: db) } }
    ),
    ("remove", { replica in try SyncSchema.remove(from: replica.database) }),
  ]

  @Test(arguments: uses.indices)
  func `every sync call throws and changes nothing if the sync tables have a later format`(use: Int)
    throws
  {
    let branch = try Town().branch()
    try branch.edit("INSERT INTO book(id) VALUES ('b1')")
    try branch.database.execute("UPDATE sync_clock SET format = 3")
    let before = try contents(of: branch)

    let error = #expect(throws: StorageError.self, "\(Self.uses[use].0)") {
      try Self.uses[use].1(branch.replica)
    }

    #expect(error?.code == .notSupported)
    #expect(error?.failure.contains("have the format 3") == true)
    #expect(error?.suggestion?.contains("version of the library") == true)
    #expect(try contents(of: branch) == before)
  }

  @Test
  func `a running sync engine throws notSupported if the sync tables get a later format`()
    async throws
  {
    let reader = try Reader(in: Town())
    try await reader.engine.sync()
    try reader.branch.database.execute("UPDATE sync_clock SET format = 3")

    let error = await #expect(throws: StorageError.self) { try await reader.engine.sync() }

    #expect(error?.code == .notSupported)
    #expect(reader.engine.currentStatus.state == .failed)
    #expect { try reader.engine.conflicts() } throws: { StorageError.Code.notSupported ~= $0 }
  }

  @Test func `creating a sync engine throws if the synchronisation tables have a later format`()
    throws
  {
    let branch = try Town().branch()
    try branch.database.execute("UPDATE sync_clock SET format = 3")

    #expect { try Reader(branch) } throws: { StorageError.Code.notSupported ~= $0 }
  }

  private func contents(of branch: Branch) throws -> [String] {
    let schema = try branch.database.read { db in try db.schema() }.compactMap(\.sql)
    let operations: [String] = try branch.database.fetchAll(
      "SELECT local_id || state || hex(operation_identifier) FROM sync_to_sync ORDER BY local_id"
    ) { row in try row[0] }
    let scopes: [String] = try branch.database.fetchAll(
      "SELECT replica || coalesce(lease_owner, '-') || sequence FROM sync_scope"
    ) { row in try row[0] }
    return schema + operations + scopes
  }
}
