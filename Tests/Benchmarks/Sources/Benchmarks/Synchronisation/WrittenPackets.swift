import Foundation
import UndercroftSQLite
import UndercroftSync

/// The rows that a server has stored for packets, to be written again by SQL statements alone.
struct WrittenPackets {
  private struct Record {
    let table: String
    let identifier: String
    let version: Int64
    let body: Data
  }

  private struct Operation {
    let identifier: String
    let replica: String
    let sequence: Int64
    let processedAt: Int64
    let receivedAt: Int64
    let body: Data
  }

  private struct Replica {
    let identifier: String
    let account: String
    let chain: Data
    let lastSeen: Int64
  }

  private let packetSize: Int
  private let records: [Record]
  private let operations: [Operation]
  private let replica: Replica

  init(of folder: URL, rowCount: Int, packetSize: Int) throws {
    let database = try Self.open(folder)
    self.packetSize = packetSize
    records = try database.fetchAll(
      "SELECT table_name, identifier, version, body FROM sync_record ORDER BY version"
    ) { row in
      Record(table: try row[0], identifier: try row[1], version: try row[2], body: try row[3])
    }
    operations = try database.fetchAll(
      """
      SELECT operation, replica, sequence, processed_at, received_ms, body FROM sync_operation
      ORDER BY sequence
      """
    ) { row in
      Operation(
        identifier: try row[0], replica: try row[1], sequence: try row[2],
        processedAt: try row[3], receivedAt: try row[4], body: try row[5])
    }
    let replica = try database.fetchAll(
      "SELECT replica, account, chain, last_seen_ms FROM sync_replica"
    ) { row in
      Replica(
        identifier: try row[0], account: try row[1], chain: try row[2], lastSeen: try row[3])
    }.first
    try database.close()
    guard let replica, records.count == rowCount, operations.count == rowCount else {
      throw BenchmarkFailure("\(records.count) rows and \(operations.count) operations arrived")
    }
    self.replica = replica
  }

  /// Opens the file of a store with the options of the store.
  private static func open(_ folder: URL) throws -> Database {
    try Database(
      at: folder.appending(path: "sync-0.sqlite"),
      DatabaseOptions(durability: .powerLoss, observesRows: false))
  }

  /// Throws if a store does not contain a row and an operation for each row that was sent.
  static func verify(_ folder: URL, rowCount: Int) throws {
    let database = try open(folder)
    try CopiedBook.require(
      rowCount, "SELECT count(*) FROM sync_record", in: database, "rows of the server")
    try CopiedBook.require(
      rowCount, "SELECT count(*) FROM sync_operation", in: database, "operations of the server")
    try CopiedBook.require(
      rowCount, "SELECT head FROM sync_scope", in: database, "versions of the scope")
    try database.close()
  }

  /// Writes the rows in one transaction for each packet, and returns the milliseconds.
  func write(to folder: URL) throws -> Double {
    let database = try Self.open(folder)
    let duration = try ContinuousClock().measure {
      for first in stride(from: 0, to: records.count, by: packetSize) {
        let packet = first..<min(first + packetSize, records.count)
        try database.write { db in
          try write(records[packet], in: db)
          try write(operations[packet], in: db)
          try writeState(after: operations[packet.upperBound - 1], in: db)
        }
      }
    }
    try database.close()
    return duration / .milliseconds(1)
  }

  private func write(_ records: ArraySlice<Record>, in db: Connection) throws {
    try db.prepare("INSERT INTO sync_record VALUES (1, ?, ?, ?, 0, ?)") { insert in
      for record in records {
        try insert.bind(record.table, at: 1)
        try insert.bind(record.identifier, at: 2)
        try insert.bind(record.version, at: 3)
        try insert.bind(record.body, at: 4)
        try insert.run()
      }
    }
  }

  private func write(_ operations: ArraySlice<Operation>, in db: Connection) throws {
    try db.prepare("INSERT INTO sync_operation VALUES (1, ?, ?, ?, ?, ?, ?)") { insert in
      for operation in operations {
        try insert.bind(operation.identifier, at: 1)
        try insert.bind(operation.replica, at: 2)
        try insert.bind(operation.sequence, at: 3)
        try insert.bind(operation.processedAt, at: 4)
        try insert.bind(operation.receivedAt, at: 5)
        try insert.bind(operation.body, at: 6)
        try insert.run()
      }
    }
  }

  private func writeState(after operation: Operation, in db: Connection) throws {
    try db.prepare("UPDATE sync_scope SET head = ?, live_rows = ?, digest_sum = ?, hlc = ?") {
      update in
      for position in 1...4 { try update.bind(operation.processedAt, at: position) }
      try update.run()
    }
    try db.prepare(
      """
      INSERT OR REPLACE INTO sync_replica(scope_id, replica, account, last_sequence,
        last_operation, chain, applied_cursor, results_through, schema_version, last_seen_ms)
      VALUES (1, ?, ?, ?, ?, ?, 0, 0, 1, ?)
      """
    ) { insert in
      try insert.bind(replica.identifier, at: 1)
      try insert.bind(replica.account, at: 2)
      try insert.bind(operation.sequence, at: 3)
      try insert.bind(operation.identifier, at: 4)
      try insert.bind(replica.chain, at: 5)
      try insert.bind(replica.lastSeen, at: 6)
      try insert.run()
    }
  }
}
