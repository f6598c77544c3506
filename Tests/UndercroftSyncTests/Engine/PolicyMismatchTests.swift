import Foundation
import Testing
import UndercroftCore
import UndercroftSync

@Suite struct PolicyMismatchTests {
  private static let table = SyncedTable(
    "book", counters: ["loans"],
    policy: TablePolicy(.serverWins, columns: ["note": .ask], deletion: .updateWins))

  @Test
  func `a sync engine reports no policy mismatch if the server has the same conflict policies`()
    async throws
  {
    let desks = try await TwoDesks(Self.table)

    #expect(desks.engines[0].currentStatus.policyMismatches == [])
  }

  @Test func `a sync engine reports each of its conflict policies that the server does not apply`()
    async throws
  {
    let desks = try await TwoDesks(Self.table, serverTables: [])

    let mismatches = desks.engines[0].currentStatus.policyMismatches

    #expect(
      mismatches.map(\.description) == [
        """
        the columns of "book": the application states server_wins, and the server applies lww_field
        """,
        """
        the column "note" of "book": the application states ask, and the server applies lww_field
        """,
        """
        deletions in "book": the application states update_wins, and the server applies delete_wins
        """,
      ])
  }

  @Test
  func `a sync engine reports a mismatch if only the server states a conflict policy for a column`()
    async throws
  {
    let desks = try await TwoDesks(
      SyncedTable("book"),
      serverTables: [
        SyncedTable("book", counters: ["Loans"]), SyncedTable("member", policy: TablePolicy(.ask)),
      ])

    let mismatches = desks.engines[0].currentStatus.policyMismatches

    #expect(mismatches.map(\.rule) == [.column("loans")])
    #expect(mismatches.map(\.engine) == ["lww_field"])
    #expect(mismatches.map(\.server) == ["counter"])
  }

  @Test
  func `a sync engine does not compare policies of local columns and counters with the server's`()
    async throws
  {
    let desks = try await TwoDesks(
      SyncedTable("book", counters: ["loans"], local: ["note"]),
      serverTables: [
        SyncedTable("book", policy: TablePolicy(columns: ["note": .ask, "loans": .clientWins]))
      ])

    #expect(desks.engines[0].currentStatus.policyMismatches == [])
  }

  @Test
  func `decoding the server's hello message retains the names of unknown conflict policies`() throws
  {
    let json = """
      {"protocol":1,"server_time":1,"t0":1,"limits":{"bytes":1,"held":1,"max_drift_ms":1,"ops":1,\
      "page":1,"window":1},"schema":{"current":1,"min_pull":0,"min_push":0},"scopes":[],\
      "policies":{"book":{"policy":"merge","columns":{"note":"text"},"deletion":"archive"}}}
      """

    let answer = try HelloAnswer(decoding: Data(json.utf8))

    #expect(answer.policies?["book"]?.columnDefault == "merge")
    #expect(answer.policies?["book"]?.columns == ["note": "text"])
    #expect(answer.policies?["book"]?.deletion == "archive")
  }

  @Test
  func `encoding and decoding the server's hello message preserves its conflict policies`() throws {
    let answer = HelloAnswer(
      serverTime: 1, startTime: 1, schema: SchemaWindow(), scopes: [],
      policies: ["book": PolicyNames(Self.table.policy)])

    #expect(try HelloAnswer(decoding: answer.encoded()) == answer)
  }
}
