import Foundation
import Observation
import Undercroft

// Every declaration of this file is isolated to the main actor, except for the types that conform
// to a protocol that inherits from `Sendable`: `TableRecord` and `DataCenter`.

struct Copy: TableRecord, Equatable {
  var id: Int64?
  var title: String
  var loanCount = 0

  static let table = Table(
    "copy", Copy.init,
    Column("id", \.id).primaryKey(),
    Column("title", \.title).unique(),
    Column("loan_count", \.loanCount).default(0)
  )
  .checking { copy in
    guard !copy.title.isEmpty else { throw Untitled() }
  }
}

struct Untitled: Error {}

struct Stock: DataCenter {
  let database: Database
  static let tables: Tables = [Copy.self]

  func add(_ title: String) throws -> Copy {
    try write { db in try Copy(title: title).insertAndFetch(in: db) }
  }
}

nonisolated struct Opening: Codable, Equatable {
  var hour: Int
}

nonisolated extension StorageKey<Opening> {
  static var opening: Self { Self("opening", kind: .preference, default: Opening(hour: 9)) }
}

extension StorageKey<String?> {
  static var notice: Self { Self("notice", kind: .document) }
}

/// The model of a screen.
@Observable final class LendingDesk {
  let storage: Storage
  let stock: Stock
  private(set) var titles: [String] = []
  private(set) var callCount = 0

  init() throws {
    storage = try Storage.inMemory()
    stock = Stock(database: try storage.database(for: .record))
  }

  var database: Database { stock.database }

  /// Changes the state of the model in the closure of a read.
  func reload() throws {
    try database.read { db in
      callCount += 1
      titles = try Copy.order { $0.title }.fetchValues(in: db) { $0.title }
    }
  }

  /// Captures the connection in a local function and in a stored closure.
  func lend(_ titles: [String]) throws -> Int {
    try database.write { db in
      func lend(_ title: String) throws -> Int {
        try db.execute("UPDATE copy SET loan_count = loan_count + 1 WHERE title = \(title)")
      }
      let loanCount = { try Copy.fetchValue(in: db) { $0.loanCount.sum } ?? 0 }

      let lent = try titles.map(lend).reduce(0, +)
      callCount += lent
      return try loanCount() * 10 + lent
    }
  }

  func lendElsewhere(_ title: String) async throws -> Int {
    let count = try await database.async.write { db in
      try Copy.where { $0.title == title }.update(in: db) { $0.loanCount += 1 }
    }
    callCount += count
    return try await stock.async.read { db in
      try Copy.fetchValue(in: db) { $0.loanCount.sum } ?? 0
    }
  }

  /// Follows the titles until there are `count` of them.
  func follow(upTo count: Int) async throws {
    let observed = database.values { db in
      try Copy.order { $0.title }.fetchValues(in: db) { $0.title }
    }
    for try await titles in observed {
      self.titles = titles
      if titles.count == count { return }
    }
  }
}
