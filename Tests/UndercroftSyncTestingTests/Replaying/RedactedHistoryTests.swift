import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync
import UndercroftSyncTesting

@Suite struct RedactedHistoryTests {
  @Test func `an exported sync history can be read and replayed`() throws {
    let lines = try exportedLines()

    let history = try RedactedHistory(lines)
    let outcome = try history.replay()

    // Three insertions, an update, a batch, its two members, and a deletion.
    #expect(history.operationCount == 8)
    #expect(history.conflictCount == 0)
    #expect(outcome.operations == 6)
    #expect(outcome.rows == 2)
  }

  @Test func `reading an incomplete exported sync history throws an error`() throws {
    let lines = try exportedLines()

    for count in 0..<lines.count {
      #expect(throws: HistoryError.self) { try RedactedHistory(lines.prefix(count)) }
    }
    #expect(throws: HistoryError.self) { try RedactedHistory(["{"]) }
    #expect(throws: HistoryError.self) { try RedactedHistory(lines.dropFirst(3)) }
  }

  @Test func `lines of an unknown kind in an exported sync history are ignored`() throws {
    var lines = try exportedLines()
    lines.insert(#"{"line":"later","operations":{}}"#, at: 1)

    #expect(throws: HistoryError.self) { try RedactedHistory(lines) }
    lines[1] = #"{"line":"later"}"#
    #expect(try RedactedHistory(lines).operationCount == 8)
  }

  /// Returns the lines of an exported history of a database with unsent loans.
  private func exportedLines() throws -> [String] {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute(
        "CREATE TABLE loan(id TEXT PRIMARY KEY NOT NULL, due TEXT, state TEXT, days INTEGER)")
    }
    try SyncSchema.add(
      [SyncedTable("loan", counters: ["days"])], toScope: "town", account: "librarian",
      in: database, environment: .system)
    let replica = Replica(database: database, scope: "town", environment: .system)
    for (name, due) in [("l1", "2026-09-01"), ("l2", "2026-09-02"), ("l3", "2026-11-01")] {
      try replica.perform(.create("loan", DataIdentifier(name), ["due": .text(due)]))
    }
    try replica.perform(
      .update("loan", where: .column("due", .less, .text("2026-10-01")), ["state": .text("back")]))
    try replica.perform(.delete("loan", "l1"))
    try database.write { db in try db.execute("UPDATE loan SET days = 3 WHERE id = 'l3'") }
    var lines: [String] = []
    try replica.exportHistory { lines.append($0) }
    return lines
  }
}
