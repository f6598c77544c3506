import Foundation
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// A device that repeats the steps of a device of the model, with a database in memory.
struct ModelDevice {
  static let scope: ScopeIdentifier = "library"
  static let account = "reader"
  static let table = "item"

  private(set) var database: Database
  private(set) var schemaVersion: Int64
  private let skew: Int64
  private let clock: ModelClock

  /// Creates a device with an empty table.
  ///
  /// - Parameter schemaVersion: 1 for a table without the column `c`.
  /// - Parameter skew: the milliseconds by which the device's clock is ahead of the server's.
  init(schemaVersion: Int64, skew: Int64, clock: ModelClock) throws {
    self.schemaVersion = schemaVersion
    self.skew = skew
    self.clock = clock
    database = try Database.inMemory(clock.options(skew: skew))
    let columns: SQL = schemaVersion == 1 ? "a TEXT, b TEXT" : "a TEXT, b TEXT, c TEXT"
    try database.write { db in
      try db.execute(
        "CREATE TABLE item(id TEXT PRIMARY KEY NOT NULL, \(columns), n INTEGER NOT NULL DEFAULT 0)")
    }
    try SyncSchema.add(
      [SyncedTable(Self.table, counters: ["n"])], toScope: Self.scope, account: Self.account,
      in: database, environment: clock.environment(skew: skew),
      expressions: ModelClock.expressions)
  }

  /// Returns a device with a copy of this device's database, as if the file was copied.
  func copy() throws -> ModelDevice {
    let folder = URL.temporaryDirectory.appending(path: "model-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "library.sqlite")
    try database.backUp(to: file)
    var copy = self
    copy.database = try Database.inMemory(loadedFrom: file, clock.options(skew: skew))
    return copy
  }

  var replica: Replica {
    var limits = SyncLimits()
    limits.window = 10_000
    return Replica(
      database: database, scope: Self.scope, environment: clock.environment(skew: skew),
      limits: limits, schemaVersion: schemaVersion)
  }

  /// Runs SQL statements in one transaction.
  ///
  /// - Parameter statements: arrays of a statement with question marks and an array of its
  ///   arguments.
  func edit(_ statements: [JSONValue]) throws {
    try database.write { db in
      for statement in statements {
        try db.execute(Self.statement(statement.elements[0].text, statement.elements[1].elements))
      }
    }
  }

  /// Returns a statement whose question marks are bound to the arguments.
  private static func statement(_ text: String, _ arguments: [JSONValue]) -> SQL {
    let parts = text.split(separator: "?", omittingEmptySubsequences: false)
    var statement = SQL(unchecked: String(parts[0]))
    for (part, argument) in zip(parts.dropFirst(), arguments) {
      let value: SQL =
        switch argument {
        case .string(let text): "\(text)"
        case .array: "\(argument.elements[1].integer)"
        default: "NULL"
        }
      statement = "\(statement)\(value)\(SQL(unchecked: String(part)))"
    }
    return statement
  }

  /// Adds the column `c` to the table, as the migration to the schema version 2 does.
  mutating func upgrade() throws {
    try database.write { db in
      try db.execute("ALTER TABLE item ADD COLUMN c TEXT")
      try SyncSchema.refresh(in: db, expressions: ModelClock.expressions)
    }
    schemaVersion = 2
    try replica.adoptExtras()
  }
}
