import Foundation
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// The check of the two clients and their server after the kill loop.
///
/// The databases of the clients and the store of the server must have equal rows, and these rows
/// must result from the edits that the clients have committed.
struct SyncFinding {
  private let place: SyncPlace
  private let seed: UInt64

  init(_ place: SyncPlace, seed: UInt64) {
    self.place = place
    self.seed = seed
  }

  /// Compares the clients with the store of the server and with their edits, and records each
  /// problem in `report`.
  ///
  /// Both clients must have synchronised before.
  func compare(_ store: any SyncServerStore, _ report: inout SyncKillReport) throws {
    let contents = try SyncContents(of: SyncPlace.server(of: store))
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
    Self.check(expected, contents, &report)
    for title in WrittenTitle.lost(among: titles, contents) {
      report.note(.lost, "the title \(title) was lost without a conflict")
    }
  }

  /// Checks that a client has every transaction that it has acknowledged.
  ///
  /// Returns the number of the last committed transaction, or 0 if there is none.
  private func checkAcknowledgements(
    of client: String, _ database: Database, _ report: inout SyncKillReport
  ) throws -> Int64 {
    let last: Int64 = try database.fetchValue("SELECT coalesce(max(number), 0) FROM progress")
    let count: Int64 = try database.fetchValue("SELECT count(*) FROM progress")
    if count != last {
      report.note(.lost, "the client \(client) has only \(count) of \(last) transactions")
    }
    var acknowledged: Int64 = 0
    let text = try String(contentsOf: place.record(of: client), encoding: .utf8)
    for line in text.split(separator: "\n") {
      let number = Int64(line.dropFirst(2))
      switch line.first {
      case "A": acknowledged = max(acknowledged, number ?? 0)
      case "S": report.synchronised += 1
      case "U": report.interrupted += 1
      case "L":
        report.note(
          .lost,
          "the client \(client) had lost the transactions \(line.dropFirst(2)) when it started")
      default: report.note(.other, "\(client): \(line)")
      }
    }
    if acknowledged > last {
      report.note(
        .lost, "the client \(client) has lost the transactions \(last + 1)–\(acknowledged)")
    }
    report.acknowledged += acknowledged
    report.committed += last
    return last
  }

  /// Checks the loans, which only one client changes, and the counters.
  ///
  /// Their final values do not depend on the order in which the clients synchronise.
  static func check(
    _ expected: ExpectedLibrary, _ contents: SyncContents, _ report: inout SyncKillReport
  ) {
    for (loan, values, found) in expected.differences(from: contents, in: "loan") {
      report.note(
        .lost,
        "the loan \(loan) is \(found.map { "\($0)" } ?? "missing") on the server, and not "
          + (values.map { "\($0)" } ?? "deleted"))
    }
    for (branch, values, found) in expected.differences(from: contents, in: "branch") {
      guard case .integer(let sum)? = values?["visits"],
        case .integer(let actual)? = found?["visits"]
      else {
        report.note(.lost, "the visits of the branch \(branch) are missing")
        continue
      }
      report.note(
        actual > sum ? .twice : .lost, "the branch \(branch) has \(actual) visits, and not \(sum)")
    }
  }
}
