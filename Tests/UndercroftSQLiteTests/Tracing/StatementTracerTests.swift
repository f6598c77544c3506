import Foundation
import Logging
import MetricsTestKit
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct StatementTracerTests {
  private final class Traces: Sendable {
    private let traces = Mutex<[StatementTrace]>([])

    func add(_ trace: StatementTrace) { traces.withLock { $0.append(trace) } }

    /// Returns the last trace of a statement with this prefix.
    func last(_ beginning: String) -> StatementTrace? {
      traces.withLock { $0.last { $0.sql.hasPrefix(beginning) } }
    }

    var count: Int { traces.withLock { $0.count } }
  }

  func library(_ tracer: StatementTracer) throws -> Database {
    var options = DatabaseOptions()
    options.tracer = tracer
    let database = try Database.inMemory(options)
    try database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT)")
      for title in ["Dune", "Emma", "Ulysses"] {
        try db.execute("INSERT INTO book(title) VALUES (\(title))")
      }
    }
    return database
  }

  @Test
  func `a statement trace contains the duration and the numbers of rows, scanned rows and sorts`()
    throws
  {
    let traces = Traces()
    let database = try library(StatementTracer { traces.add($0) })
    try database.read { db in
      _ = try db.fetchAll("SELECT title FROM book WHERE title < \("F") ORDER BY title") { _ in }
    }
    let trace = try #require(traces.last("SELECT title"))
    #expect(trace.sql == "SELECT title FROM book WHERE title < ? ORDER BY title")
    #expect(trace.rowCount == 2)
    #expect(trace.scannedRowCount == 2)
    #expect(trace.sortCount == 1)
    #expect(trace.duration > .zero)
    #expect(trace.duration < .seconds(60))

    // Each run has a separate trace.
    try database.read { db in
      _ = try db.fetchAll("SELECT title FROM book WHERE title < \("A") ORDER BY title") { _ in }
    }
    #expect(traces.last("SELECT title")?.rowCount == 0)
    #expect(traces.last("COMMIT") != nil)
  }

  @Test(arguments: [true, false])
  func `a statement trace contains bound values only if showsArguments is set`(showsArguments: Bool)
    throws
  {
    let traces = Traces()
    let database = try library(
      StatementTracer(showsArguments: showsArguments) { traces.add($0) })
    try database.read { db in
      _ = try db.fetchAll("SELECT id FROM book WHERE title = \("It's Dune")") { _ in }
    }

    let sql = try #require(traces.last("SELECT id")?.sql)
    #expect(sql.hasSuffix(showsArguments ? "title = 'It''s Dune'" : "title = ?"))
  }

  @Test func `queries that a tracer runs are not traced`() throws {
    let traces = Traces()
    let opened = Mutex<Database?>(nil)
    let database = try library(
      StatementTracer { trace in
        traces.add(trace)
        _ = try? opened.withLock { $0 }?.read { db in try db.fetchAll("SELECT 1") { _ in } }
      })
    opened.withLock { $0 = database }
    defer { opened.withLock { $0 = nil } }
    let before = traces.count
    try database.write { db in try db.execute("DELETE FROM book") }

    #expect(traces.count - before == 3)
  }

  @Test func `each of several combined tracers receives every trace`() throws {
    let (one, other) = (Traces(), Traces())
    let database = try library(
      .all(StatementTracer { one.add($0) }, StatementTracer { other.add($0) }))
    try database.write { db in try db.execute("DELETE FROM book") }

    #expect(one.last("DELETE") != nil)
    #expect(other.last("DELETE") != nil)
  }

  // MARK: Log and metrics

  @Test func `a slow statement is logged as a warning by default`() throws {
    let log = RecordedLog()
    let database = try library(.log(log.logger, slowerThan: .nanoseconds(1)))
    try database.read { db in _ = try db.fetchAll("SELECT title FROM book") { _ in } }

    #expect(log.lines.last?.level == .warning)
  }

  @Test func `statements slower than the threshold are logged with their metadata`() throws {
    let log = RecordedLog()
    let slow = try library(.log(log.logger, slowerThan: .seconds(3_600)))
    try slow.read { db in _ = try db.fetchAll("SELECT title FROM book") { _ in } }
    #expect(log.lines.isEmpty)
    let database = try library(.log(log.logger, at: .info))
    try database.read { db in _ = try db.fetchAll("SELECT title FROM book") { _ in } }
    let line = try #require(log.lines.last { $0.message == "SELECT title FROM book" })
    #expect(line.level == .info)
    #expect(line.metadata["rows"] == "3")
    #expect(line.metadata["microseconds"] != nil)
  }
}

extension StatementTracerTests {
  @Test func `the metrics tracer records row counts and statement durations`() throws {
    let metrics = TestMetrics()
    let database = try library(.metrics(label: "library", factory: metrics))
    let statements = try metrics.expectTimer("library.statement")
    let rows = try metrics.expectCounter("library.rows")
    let before = (statements.values.count, rows.totalValue)
    try database.read { db in _ = try db.fetchAll("SELECT title FROM book") { _ in } }

    #expect(statements.values.count == before.0 + 3)
    #expect(rows.totalValue == before.1 + 3)
    #expect(statements.values.allSatisfy { $0 > 0 })
    #expect(try metrics.expectCounter("library.scanned_rows").totalValue >= 2)
  }
}
