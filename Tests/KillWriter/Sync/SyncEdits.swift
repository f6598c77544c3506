import Foundation
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

/// A change that a client makes to its library.
enum SyncEdit {
  /// Inserts or replaces a loan, which only this client changes.
  ///
  /// The values are those of the columns `reader`, `note`, `fee` and `days`.
  case lend(String, [SQLValue])
  /// Changes the column `days` of a loan, which only this client changes, if the loan exists.
  case extend(String, days: Int64)
  /// Deletes a loan, which only this client changes, if the loan exists.
  case settle(String)
  /// Adds an amount to the visits of a branch, a counter that both clients change.
  case visit(String, Int64)
  /// Inserts a book with a title, or changes its title. Both clients change the same books.
  case rename(String, title: String)
}

/// The sequence of edits that a client makes, as a function of a seed.
///
/// Each transaction depends only on the seed, the client and the number of the transaction. So the
/// parent process can compute which edits a killed client has committed.
struct SyncEdits {
  static let loanCount = 20
  static let branches = ["north", "south", "west"]
  private static let books = ["atlas", "diary", "guide", "map"]

  let seed: UInt64
  let client: String

  /// Returns the edits of the transaction with the given number, which is at least 1.
  func transaction(_ number: Int64) -> [SyncEdit] {
    let place = UInt64(SyncPlace.clients.firstIndex(of: client) ?? 0)
    var random = SeededGenerator(
      seed: seed ^ UInt64(number) &* 0x2545_f491_4f6c_dd1d ^ place << 60)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35: return [visit(&random)]
    case 35..<55: return [rename(number, &random)]
    case 55..<80: return [changeLoan(number, &random)]
    case 80..<90:
      return (0..<5).map { _ in changeLoan(number, &random) } + [rename(number, &random)]
    default: return [visit(&random), changeLoan(number, &random), visit(&random)]
    }
  }

  private func visit(_ random: inout SeededGenerator) -> SyncEdit {
    let amount = Int64.random(in: 1...1_000_000_000, using: &random)
    return .visit(Self.branches.randomElement(using: &random) ?? "", amount)
  }

  /// Returns an edit that gives a random book a new title.
  ///
  /// The title contains the client and the number of the transaction, so that each title is unique.
  private func rename(_ number: Int64, _ random: inout SeededGenerator) -> SyncEdit {
    .rename(
      Self.books.randomElement(using: &random) ?? "", title: "«\(client) \(number)» e\u{301}")
  }

  private func changeLoan(_ number: Int64, _ random: inout SeededGenerator) -> SyncEdit {
    let loan = "\(client)-\(Int.random(in: 0..<Self.loanCount, using: &random))"
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2: return .settle(loan)
    case 2..<5: return .extend(loan, days: .random(in: .min ... .max, using: &random))
    default:
      let bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      return .lend(
        loan,
        [
          .text("reader \(number)\u{0}"), bytes.isEmpty ? .null : .blob(Data(bytes)),
          .real(Double(bitPattern: random.next() & 0xbfff_ffff_ffff_ffff)), .integer(number),
        ])
    }
  }
}

extension SyncEdit {
  /// Writes the edit to the database.
  ///
  /// Returns the previous title if the edit is ``rename(_:title:)`` and the book had a title, and
  /// `nil` for all other edits.
  func write(to db: Connection) throws -> String? {
    switch self {
    case .lend(let loan, let values):
      try db.execute(
        """
        INSERT INTO loan(id, reader, note, fee, days)
        VALUES (\(loan), \(values[0]), \(values[1]), \(values[2]), \(values[3]))
        ON CONFLICT(id) DO UPDATE SET
          reader = excluded.reader, note = excluded.note, fee = excluded.fee, days = excluded.days
        """)
    case .extend(let loan, let days):
      try db.execute("UPDATE loan SET days = \(days) WHERE id = \(loan)")
    case .settle(let loan): try db.execute("DELETE FROM loan WHERE id = \(loan)")
    case .visit(let branch, let amount):
      try db.execute(
        """
        INSERT INTO branch(id, visits) VALUES (\(branch), \(amount))
        ON CONFLICT(id) DO UPDATE SET visits = visits + excluded.visits
        """)
    case .rename(let book, let title):
      let before: String? =
        try db.fetchOne("SELECT title FROM book WHERE id = \(book)") { row in
          try row[0] as String?
        } ?? nil
      try db.execute(
        """
        INSERT INTO book(id, title) VALUES (\(book), \(title))
        ON CONFLICT(id) DO UPDATE SET title = excluded.title
        """)
      return before
    }
    return nil
  }
}
