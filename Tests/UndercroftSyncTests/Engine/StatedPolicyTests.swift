import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of the conflict policies that an application states with its tables.
///
/// In each test, two devices change the same book concurrently. The first device synchronises
/// first.
@Suite struct StatedPolicyTests {
  private static let earlyFirst: [(Int64, SQL)] = [
    (1, "UPDATE book SET title = 'north', note = 'n'"), (2, "UPDATE book SET title = 'south'"),
  ]
  private static let lateFirst: [(Int64, SQL)] = [
    (2, "UPDATE book SET title = 'north'"), (1, "UPDATE book SET title = 'south', note = 's'"),
  ]

  @Test func `without a conflict policy, the later change of each column wins`() async throws {
    let desks = try await TwoDesks(SyncedTable("book"))

    try await exchange(Self.earlyFirst, in: desks)

    #expect(try desks.books == both("b1 south n 10"))
    #expect(try desks.conflicts(1) == ["server_lost lww_field title=north"])
  }

  @Test
  func
    `with lastWriterWinsField, the earlier change loses only the columns that both devices changed`()
    async throws
  {
    let desks = try await TwoDesks(SyncedTable("book", policy: TablePolicy(.lastWriterWinsField)))

    try await exchange(Self.lateFirst, in: desks)

    #expect(try desks.books == both("b1 north s 10"))
    #expect(try desks.conflicts(1) == ["op_lost lww_field title=south"])
  }

  @Test
  func `with lastWriterWinsRecord, the change with the earlier timestamp loses all its values`()
    async throws
  {
    let desks = try await TwoDesks(SyncedTable("book", policy: TablePolicy(.lastWriterWinsRecord)))

    try await exchange(Self.lateFirst, in: desks)

    #expect(try desks.books == both("b1 north old 10"))
    #expect(try desks.conflicts(1) == ["op_lost lww_record note=s title=south"])
  }

  @Test
  func `with serverWins, the server's value wins against a pushed value with a later timestamp`()
    async throws
  {
    let desks = try await TwoDesks(SyncedTable("book", policy: TablePolicy(.serverWins)))

    try await exchange(Self.earlyFirst, in: desks)

    #expect(try desks.books == both("b1 north n 10"))
    #expect(try desks.conflicts(1) == ["op_lost server_wins title=south"])
  }

  @Test
  func `with clientWins, a pushed value wins against the server's value with a later timestamp`()
    async throws
  {
    let desks = try await TwoDesks(SyncedTable("book", policy: TablePolicy(.clientWins)))

    try await exchange(Self.lateFirst, in: desks)

    #expect(try desks.books == both("b1 south s 10"))
    #expect(try desks.conflicts(1) == ["server_lost client_wins title=north"])
  }

  @Test(arguments: [
    SyncedTable("book", counters: ["loans"]),
    SyncedTable("book", policy: TablePolicy(columns: ["loans": .counter])),
  ])
  func `with the policy counter, the changes of both devices are added up`(table: SyncedTable)
    async throws
  {
    let desks = try await TwoDesks(table)

    try await exchange(
      [(1, "UPDATE book SET loans = loans + 5"), (1, "UPDATE book SET loans = loans - 2")],
      in: desks)

    #expect(try desks.books == both("b1 Dune old 13"))
    #expect(try desks.conflicts(0) + desks.conflicts(1) == [])
  }

  @Test func `a custom policy can choose a third value, and both lost values become conflicts`()
    async throws
  {
    let joined = ConflictPolicy.custom { conflict in
      guard case .text(let local) = conflict.local.value,
        case .text(let remote) = conflict.remote.value
      else { return .ask }
      return .value(.text([local, remote].sorted().joined(separator: "+")))
    }
    let desks = try await TwoDesks(
      SyncedTable("book", policy: TablePolicy(columns: ["title": joined])))

    try await exchange(Self.earlyFirst, in: desks)

    #expect(try desks.books == both("b1 north+south n 10"))
    #expect(
      try desks.conflicts(1)
        == ["op_lost custom title=south", "server_lost custom title=north"])
  }

  @Test
  func `with the policy ask, the server's row remains, and the losing change waits for the user`()
    async throws
  {
    let desks = try await TwoDesks(SyncedTable("book", policy: TablePolicy(.ask)))

    try await exchange(Self.lateFirst, in: desks)

    #expect(try desks.books == both("b1 north old 10"))
    #expect(try desks.conflicts(1) == ["open ask note=s title=south"])
    #expect(desks.engines[1].currentStatus.conflicts == 1)
  }

  @Test func `the policy of a column takes precedence over the policy of the table`() async throws {
    let policy = TablePolicy(.clientWins, columns: ["title": .serverWins])
    let desks = try await TwoDesks(SyncedTable("book", policy: policy))

    try await exchange(
      [
        (1, "UPDATE book SET title = 'north', note = 'n'"),
        (2, "UPDATE book SET title = 'south', note = 's'"),
      ], in: desks)

    #expect(try desks.books == both("b1 north s 10"))
    #expect(
      try desks.conflicts(1) == [
        "op_lost client_wins,server_wins title=south",
        "server_lost client_wins,server_wins note=n",
      ])
  }

  // MARK: Deletions

  private static let deletedFirst: [(Int64, SQL)] = [
    (1, "DELETE FROM book"), (2, "UPDATE book SET title = 'south'"),
  ]
  private static let updatedFirst: [(Int64, SQL)] = [
    (1, "UPDATE book SET title = 'north'"), (2, "DELETE FROM book"),
  ]

  @Test(arguments: [
    (deletedFirst, "update_deleted delete_wins title=south"),
    (updatedFirst, "delete_wins delete_wins title=north"),
  ])
  func `with deleteWins, a deletion wins against an update, and the lost values become a conflict`(
    edits: [(Int64, SQL)], conflict: String
  ) async throws {
    let desks = try await TwoDesks(SyncedTable("book"))

    try await exchange(edits, in: desks)

    #expect(try desks.books == [[], []])
    #expect(try desks.conflicts(1) == [conflict])
  }

  @Test(arguments: [
    (deletedFirst, "b1 south old 10", "delete_lost update_wins"),
    (updatedFirst, "b1 north old 10", "delete_update update_wins"),
  ])
  func
    `with updateWins, an updated row is restored or retained, and the deletion becomes a conflict`(
      edits: [(Int64, SQL)], book: String, conflict: String
    ) async throws
  {
    let desks = try await TwoDesks(
      SyncedTable("book", policy: TablePolicy(deletion: .updateWins)))

    try await exchange(edits, in: desks)

    #expect(try desks.books == both(book))
    #expect(try desks.conflicts(1) == [conflict])
  }

  @Test(
    arguments: [
      (deletedFirst, [[], []], "open ask title=south"),
      (updatedFirst, [["b1 north old 10"], ["b1 north old 10"]], "open ask"),
    ] as [([(Int64, SQL)], [[String]], String)])
  func `with the deletion rule ask, the server's row is unchanged until the user answers`(
    edits: [(Int64, SQL)], books: [[String]], conflict: String
  ) async throws {
    let desks = try await TwoDesks(SyncedTable("book", policy: TablePolicy(deletion: .ask)))

    try await exchange(edits, in: desks)

    #expect(try desks.books == books)
    #expect(try desks.conflicts(1) == [conflict])
  }

  @Test
  func `with the table policy serverWins, a deletion loses against an update that arrived first`()
    async throws
  {
    let desks = try await TwoDesks(SyncedTable("book", policy: TablePolicy(.serverWins)))

    try await exchange(Self.updatedFirst, in: desks)

    #expect(try desks.books == both("b1 north old 10"))
    #expect(try desks.conflicts(1) == ["delete_update server_wins"])
  }

  // MARK: Names

  @Test func `the names of tables and columns in policies are not case-sensitive`() async throws {
    let desks = try await TwoDesks(
      SyncedTable("BOOK", policy: TablePolicy(columns: ["TITLE": .serverWins])))

    try await exchange(Self.earlyFirst, in: desks)

    #expect(try desks.books == both("b1 north n 10"))
    #expect(desks.engines[0].currentStatus.policyMismatches == [])
  }

  // MARK: Helpers

  private func exchange(_ edits: [(Int64, SQL)], in desks: TwoDesks) async throws {
    for (desk, edit) in edits.enumerated() { try desks.edit(desk, minute: edit.0, edit.1) }
    try await desks.sync()
  }

  private func both(_ book: String) -> [[String]] { [[book], [book]] }
}
