import Foundation
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// The comparison of two clients and a server with each other and with the edits of the clients.
struct SyncFinding {
  private let place: SyncPlace
  private let seed: UInt64

  init(_ place: SyncPlace, seed: UInt64) {
    self.place = place
    self.seed = seed
  }

  /// Compares the clients, the server and the edits, after the clients have synchronised.
  func compare(_ report: inout SyncKillReport) throws {
    let contents = try SyncContents(of: place.server())
    report.conflicts = contents.conflicts.count
    report.committed = 0
    report.acknowledged = 0
    report.synchronised = 0
    report.interrupted = 0
    var expected = ExpectedLibrary()
    var titles: [WrittenTitle] = []
    for client in SyncPlace.clients {
      let database = try place.database(of: client)
      for problem in try contents.differences(from: database) {
        report.note(.unequal, "\(client): \(problem)")
      }
      let committed = try checkAcknowledgements(of: client, database, &report)
      let edits = SyncEdits(seed: seed, client: client)
      for number in 0..<committed { expected.enter(edits.transaction(number + 1)) }
      titles += try WrittenTitle.load(from: database)
      try database.close()
    }
    check(expected, contents, &report)
    for title in WrittenTitle.lost(among: titles, contents) {
      report.note(.lost, "the title \(title) was lost without a conflict")
    }
  }

  /// Checks that every acknowledged transaction was committed, and returns the number of the last
  /// committed transaction.
  private func checkAcknowledgements(
    of client: String, _ database: Database, _ report: inout SyncKillReport
  ) throws -> Int64 {
    let last: Int64 = try database.fetchValue("SELECT coalesce(max(number), 0) FROM progress")
    let count: Int64 = try database.fetchValue("SELECT count(*) FROM progress")
    if count != last { report.note(.lost, "\(client) has \(count) of \(last) transactions") }
    var acknowledged: Int64 = 0
    let text = try String(contentsOf: place.record(of: client), encoding: .utf8)
    for line in text.split(separator: "\n") {
      let number = Int64(line.dropFirst(2))
      switch line.first {
      case "A": acknowledged = max(acknowledged, number ?? 0)
      case "S": report.synchronised += 1
      case "U": report.interrupted += 1
      case "L": report.note(.lost, "\(client) had lost the transactions \(line.dropFirst(2))")
      default: report.note(.other, "\(client): \(line)")
      }
    }
    if acknowledged > last {
      report.note(.lost, "\(client) has lost the transactions \(last + 1)–\(acknowledged)")
    }
    report.acknowledged += acknowledged
    report.committed += last
    return last
  }

  /// Checks the rows whose final values do not depend on the order of the two clients.
  private func check(
    _ expected: ExpectedLibrary, _ contents: SyncContents, _ report: inout SyncKillReport
  ) {
    for (loan, values, found) in expected.differences(from: contents, in: "loan") {
      report.note(
        .lost,
        "the loan \(loan) is \(found.map { "\($0)" } ?? "missing"), and not "
          + (values.map { "\($0)" } ?? "deleted"))
    }
    for (branch, values, found) in expected.differences(from: contents, in: "branch") {
      guard case .integer(let sum)? = values?["visits"],
        case .integer(let actual)? = found?["visits"]
      else {
        report.note(.lost, "the visits of \(branch) are missing")
        continue
      }
      report.note(
        actual > sum ? .twice : .lost, "\(branch) has \(actual) visits, and not \(sum)")
    }
  }
}
