import Foundation
import UndercroftCore
import UndercroftSQLite

// The actions of the closures, and their effects on the model.

extension TransactionWalk {
  /// Performs up to four random actions, as the body of a closure that received the connection.
  func fill(_ db: Connection, isInTransaction: Bool, depth: Int = 0) throws {
    for _ in 0..<number(0..<5) { try act(db, isInTransaction, depth) }
  }

  private func act(_ db: Connection, _ isInTransaction: Bool, _ depth: Int) throws {
    let (id, value) = (number(0..<6), number(0..<6))
    switch number(0..<15) {
    case 0, 1:
      try run(db, "INSERT OR REPLACE INTO book VALUES (\(id), \(value))", isInTransaction) {
        $0.putBook(id, on: value)
      }
    case 2:
      try run(db, "DELETE FROM book WHERE id = \(id)", isInTransaction) { $0.removeBook(id) }
    case 3, 4:
      try run(db, "INSERT OR REPLACE INTO loan VALUES (\(id), \(value))", isInTransaction) {
        $0.putLoan(id, of: value)
      }
    case 5:
      try run(db, "DELETE FROM loan WHERE id = \(id)", isInTransaction) { $0.removeLoan(id) }
    case 6: try refused(db, "INSERT INTO book VALUES (\(id), -1)")
    case 7: try refused(db, "INSERT OR ROLLBACK INTO book VALUES (\(id), -1)")
    case 8: try throwInRow(db, id, value, isInTransaction)
    case 9: try keep(value)
    case 10: try look(db)
    // Interrupt only in a transaction: elsewhere, the model could not know what an interruption
    // undoes.
    case 11: if isInTransaction, chance(2) { interrupt() }
    case 12, 13: if depth < 2 { try walkRows(db, isInTransaction, depth) }
    default: if depth < 3 { try nest(db, isInTransaction, depth) }
    }
  }

  /// Runs a statement that an interceptor may reject, and that the foreign key may reject outside a
  /// transaction.
  private func run(
    _ db: Connection, _ sql: SQL, _ isInTransaction: Bool,
    _ change: (inout LibraryRows) -> Void
  ) throws {
    note("\(sql)")
    let before = working
    change(&working)
    // Outside a transaction, the end of the statement is a commit.
    let isRefused = !isInTransaction && !working.isConsistent
    do {
      try db.execute(sql)
      if isRefused { problem = "a loan that violates a foreign key was committed" }
    } catch {
      working = before
      if error is Veto { return note("vetoed") }
      guard isRefused, (error as? StorageError)?.code == .constraintViolated else { throw error }
      note("refused by the foreign key")
    }
  }

  /// Runs a statement that a CHECK constraint rejects.
  private func refused(_ db: Connection, _ sql: SQL) throws {
    note("\(sql)")
    do {
      try db.execute(sql)
      problem = "a check was not enforced"
    } catch {
      if error is Veto { return }
      guard (error as? StorageError)?.code == .constraintViolated else { throw error }
    }
  }

  /// Throws from the closure of a statement's row, after which the statement still runs to its end.
  private func throwInRow(
    _ db: Connection, _ id: Int, _ value: Int, _ isInTransaction: Bool
  ) throws {
    note("INSERT OR REPLACE INTO loan VALUES (\(id), \(value)) RETURNING, whose row throws")
    do {
      try db.forEach("INSERT OR REPLACE INTO loan VALUES (\(id), \(value)) RETURNING id") { _ in
        throw Whim()
      }
    } catch {
      if error is Veto { return note("vetoed") }
      guard error is Whim else { throw error }
    }
    var changed = working
    changed.putLoan(id, of: value)
    if !isInTransaction {
      guard changed.isConsistent else { return note("refused by the foreign key") }
      // An interruption after the row undoes the statement. It is not reported, because the
      // closure's own error is thrown instead.
      if interrupter.hasBeenOn, try seen(db) == working.text {
        if changed.text == working.text { working.mayHaveChanged(.loan(id)) }
        return note("interrupted, perhaps")
      }
    }
    working = changed
  }

  /// Reads all rows, and repeats this until no interruption occurs during the read.
  private func seen(_ db: Connection) throws -> String {
    for _ in 0..<1_000 {
      do {
        return try db.fetchValue(SQL(unchecked: LibraryRows.query), as: String.self)
      } catch {
        guard (error as? StorageError)?.code == .interrupted else { throw error }
      }
    }
    return ""
  }

  /// Writes the keyed value.
  private func keep(_ value: Int) throws {
    note("visitors = \(value)")
    do {
      try gate.apply([.set("visitors", Data("\(value)".utf8))])
      working.saveVisitors(value)
    } catch {
      guard (error as? StorageError)?.code == .vetoed else { throw error }
      note("vetoed")
    }
  }

  /// Reads all rows, and compares them with the model.
  func look(_ db: Connection) throws {
    var seen = try db.fetchValue(SQL(unchecked: LibraryRows.query), as: String.self)
    if chance(2), seen == working.text {
      seen = try database.fetchValue(SQL(unchecked: LibraryRows.query), as: String.self)
    }
    if seen != working.text {
      problem = "a read returns \(seen) instead of \(working.text)"
    }
  }

  /// Interrupts the statements of the calling thread.
  ///
  /// If a statement is active, every later one fails until the active one has ended.
  private func interrupt() {
    note("interrupt")
    database.interrupt()
  }

  /// Runs transactions within the rows of a query, and continues if one fails, for example by an
  /// interruption.
  private func walkRows(_ db: Connection, _ isInTransaction: Bool, _ depth: Int) throws {
    let query: SQL =
      chance(2) ? "SELECT 1 UNION ALL SELECT 2" : "SELECT id FROM book ORDER BY id LIMIT 2"
    note("for each row {")
    defer { note("end of the rows }") }
    do {
      try db.forEach(query) { _ in
        do {
          try nest(db, isInTransaction, depth)
        } catch {
          if chance(4) || !isExpected(error) { throw error }
          note("ignored \(error)")
        }
      }
    } catch {
      if chance(4) || !isExpected(error) { throw error }
      note("ignored \(error)")
    }
  }

  /// Runs a nested transaction in the closure: a savepoint, or a transaction if none is open.
  private func nest(_ db: Connection, _ isInTransaction: Bool, _ depth: Int) throws {
    let before = working
    note("{")
    defer { note("}") }
    do {
      if chance(2) {
        try database.write { db in try nested(db, depth) }
      } else {
        try db.transaction { db in try nested(db, depth) }
      }
    } catch {
      working = before
      if error is Whim { return }
      if isInTransaction || !isExpected(error) { throw error }
    }
  }

  private func nested(_ db: Connection, _ depth: Int) throws {
    try fill(db, isInTransaction: true, depth: depth + 1)
    if chance(3) { throw Whim() }
  }
}
