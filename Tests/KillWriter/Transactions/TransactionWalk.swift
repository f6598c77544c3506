import Foundation
import Synchronization
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

/// Random calls of two databases on one file, with a model of the rows that the calls commit.
///
/// The class is `Sendable` without a lock, because the thread that runs a step waits while another
/// thread runs a closure of the step.
final class TransactionWalk: @unchecked Sendable {
  struct Whim: Error {}
  struct Veto: Error {}

  /// The number of calls with each result.
  struct Counts {
    var committed = 0
    var failed = 0
    var interrupted = 0
  }

  let databases: [Database]
  let interrupter: Interrupter
  var random: SeededGenerator
  /// The database of the current step.
  var database: Database
  /// The committed rows.
  var committed = LibraryRows()
  /// The rows as the open transaction has changed them.
  var working = LibraryRows()
  var problem: String?
  /// The actions of the current step.
  var history: [String] = []
  private(set) var counts = Counts()
  private var registrations: [Registration] = []
  private let gates: [Gate]
  private let reports = CommitReports()
  private var observing: [Registration] = []
  /// The number of saves of the keyed value that were reported during the current step.
  private let progressLines = Atomic<Int>(0)
  private var stepCount = 0

  /// The gate of the keyed values in the database of the current step.
  var gate: Gate { gates[database === databases[0] ? 0 : 1] }

  /// The origin of the current step's writes.
  private var origin: Database.Origin { Database.Origin("step \(stepCount)") }

  init(on file: URL, seed: UInt64) throws {
    let options = DatabaseOptions(lockTimeout: .seconds(20), readerCount: 2)
    databases = [try Database(at: file, options), try Database(at: file, options)]
    database = databases[0]
    gates = databases.map { Gate(SQLiteBackend($0)) }
    interrupter = Interrupter(databases)
    random = SeededGenerator(seed: seed)
    try database.write { db in try db.executeScript(SQL(unchecked: LibraryRows.schema)) }
    try SQLiteBackend(database).apply([.set("visitors", Data("0".utf8))])
    for database in databases { observing.append(try reports.observe(database)) }
    for gate in gates {
      observing.append(
        gate.intercept(
          Interceptor(after: { [weak self] _ in
            self?.progressLines.add(1, ordering: .sequentiallyConsistent)
          })))
    }
    interrupter.start()
  }

  func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  func note(_ text: String) { history.append(text) }

  // MARK: Steps

  /// Makes one random call, and compares the result with the model.
  ///
  /// - Returns: the difference from the model, or `nil` if there is none.
  func step() throws -> String? {
    history = []
    committed = committed.unchanged
    working = committed
    stepCount += 1
    progressLines.store(0, ordering: .sequentiallyConsistent)
    database = databases[number(0..<2)]
    if chance(64) { interrupter.isOn = chance(4) }
    if chance(16) { changeInterceptors() }
    switch number(0..<10) {
    case 0..<4: write()
    case 4, 5: writeWithoutTransaction()
    case 6, 7: cancelledWrite()
    case 8: read()
    default: cancelledRead()
    }
    return problem ?? wrongReport()
  }

  /// Compares the calls of observers and interceptors with the rows that the step has committed.
  ///
  /// - Returns: the difference, or `nil` if there is none.
  private func wrongReport() -> String? {
    if let problem = reports.expect(committed, of: origin) { return problem }
    let count = progressLines.load(ordering: .sequentiallyConsistent)
    return count == committed.saveCount
      ? nil : "\(count) saves were reported instead of \(committed.saveCount)"
  }

  private func write() {
    note("write")
    settle {
      let lock: TransactionLock = [.deferred, .immediate, .exclusive][number(0..<3)]
      try database.write(lock: lock, from: origin) { db in
        working = committed
        try fill(db, isInTransaction: true)
        if chance(4) { throw Whim() }
      }
    }
  }

  private func cancelledWrite() {
    note("async write")
    settle {
      try wait(cancellingAfter: chance(2) ? number(0..<200) : nil) { [self] in
        try await database.async.write(from: origin) { [self] db in
          working = committed
          try fill(db, isInTransaction: true)
          if chance(4) { throw Whim() }
        }
      }
    }
  }

  private func writeWithoutTransaction() {
    note("write without a transaction")
    settle(isWhole: false) {
      try database.writeWithoutTransaction(from: origin) { db in
        try fill(db, isInTransaction: false)
        if chance(4) { throw Whim() }
      }
    }
  }

  private func read() {
    note("read")
    settle {
      try database.read { db in
        try look(db)
        if chance(2) { throw Whim() }
      }
    }
  }

  private func cancelledRead() {
    note("async read")
    settle {
      try wait(cancellingAfter: chance(2) ? number(0..<200) : nil) { [self] in
        try await database.async.read { [self] db in
          try look(db)
          if chance(2) { throw Whim() }
        }
      }
    }
  }

  /// Runs a call and updates the model: all its changes are committed, or none of them.
  ///
  /// - Parameter isWhole: whether the call is one transaction. Otherwise, each of its statements is
  ///   committed separately.
  private func settle(isWhole: Bool = true, _ call: () throws -> Void) {
    do {
      try call()
      committed = working
      counts.committed += 1
    } catch {
      note("threw \(error)")
      if !isWhole { committed = working }
      counts.failed += 1
      if case let error as StorageError = error, error.code == .interrupted {
        counts.interrupted += 1
      } else if error is CancellationError {
        counts.interrupted += 1
      } else if !isExpected(error) {
        problem = "an unexpected error: \(error)"
      }
    }
  }

  /// Returns whether a call is allowed to fail with this error.
  ///
  /// Allowed are the error that the closure threw, and the errors for a constraint, an
  /// interruption, a veto, and a transaction that a statement has ended.
  func isExpected(_ error: any Error) -> Bool {
    if error is Whim || error is Veto { return true }
    guard let error = error as? StorageError else { return false }
    switch error.code {
    case .constraintViolated, .interrupted, .vetoed: return true
    case .misuse: return error.message.contains("ended the transaction")
    default: return false
    }
  }

  /// Waits for a task, and cancels it after `rounds` calls of `sched_yield`, unless `rounds` is
  /// `nil`.
  private func wait(
    cancellingAfter rounds: Int?, _ call: @escaping @Sendable () async throws -> Void
  ) throws {
    let done = DispatchSemaphore(value: 0)
    let failure = Failure()
    let task = Task {
      do { try await call() } catch { failure.put(error) }
      done.signal()
    }
    if let rounds {
      for _ in 0..<rounds { sched_yield() }
      task.cancel()
    }
    done.wait()
    if let error = failure.error { throw error }
  }

  // MARK: Interceptors

  private func changeInterceptors() {
    registrations = []
    for database in databases where chance(2) {
      note("interceptor")
      let lot = Lot(seed: random.next())
      let veto: @Sendable (TableWrite) throws -> Void = { _ in
        if lot.draw(oneIn: 4) { throw Veto() }
      }
      let nothing: @Sendable (TableWrite) throws -> Void = { _ in }
      registrations.append(
        database.intercept(
          TableInterceptor(
            of: chance(2) ? ["loan"] : nil, before: chance(2) ? veto : nothing,
            after: chance(3) ? nil : veto)))
    }
  }

  // MARK: Comparing

  /// Compares the model with the rows that a second process reads.
  ///
  /// - Returns: the difference, or `nil` if there is none.
  func compare(with witness: WitnessProcess, at step: Int) throws -> String? {
    let seen = try witness.look()
    if seen != committed.text {
      return "a second process reads \(seen), but \(committed.text) was acknowledged"
    }
    if step.isMultiple(of: 8) {
      let answer = try witness.write()
      if answer != "written" { return "a second process cannot write: \(answer)" }
    }
    return nil
  }

  /// Closes the databases and compares for the last time.
  ///
  /// - Returns: the difference, or `nil` if there is none.
  func end(with witness: WitnessProcess) throws -> String? {
    interrupter.end()
    registrations = []
    if let problem = reports.end() { return problem }
    observing = []
    for database in databases { try database.close() }
    return try compare(with: witness, at: 0)
  }
}
