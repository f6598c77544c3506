import CSQLite
public import UndercroftCore

// Placeholders are numbered from 1, as in SQL (`?1`). A bound value remains until another replaces
// it. A run fails if one of the first 64 placeholders was never bound. The generic overload is
// disfavored, because the overloads for concrete types cost less and a plain `nil` is an
// ``SQLNull``.

extension Statement {
  /// Binds a value of any type that conforms to ``SQLBindable``, or NULL for `nil`, to the
  /// placeholder at `position`.
  ///
  /// The first placeholder has position 1.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there is no such placeholder. Every overload throws
  ///   this error. ``StorageError/Code/encodingFailed`` if SQLite cannot store the value exactly.
  @_disfavoredOverload
  public func bind(_ value: some SQLBindable, at position: Int) throws(StorageError) {
    let value = try sqlValue(
      of: value, for: "the placeholder at the position \(position), counted from 1,")
    try bind(value, at: Int32(clamping: position))
  }

  /// Returns the SQL value of `value`, or throws an error that names the placeholder.
  func sqlValue(
    of value: some SQLBindable, for placeholder: @autoclosure () -> String
  ) throws(StorageError) -> SQLValue {
    do throws(StorageError) {
      return try value.sqlValue()
    } catch {
      throw error.within(
        "cannot bind a value to \(placeholder()) of the statement \(printedSQL)")
    }
  }

  /// Runs the statement to its end, ignores its rows, and resets it. (`sqlite3_step`,
  /// `sqlite3_reset`)
  ///
  /// If an SQL function throws an error, ``Connection/prepare(_:_:)`` throws that error in place of
  /// the error of this function.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if one of the first 64 placeholders was never bound.
  ///   Every function that runs the statement throws this error.
  public func run() throws(StorageError) {
    try begin()
    defer { sqlite3_reset(raw) }
    while try step() {}
  }

  /// Runs the statement, and calls `body` for each row, without storing the rows.
  ///
  /// - Throws: any error that `body` throws, unchanged.
  public func forEach(_ body: (borrowing Row) throws -> Void) throws {
    try begin()
    defer { sqlite3_reset(raw) }
    do {
      while try step() { try body(Row(statement: raw)) }
    } catch {
      try? finish()
      throw error
    }
  }

  /// Runs the statement, and calls `body` for each row until `body` returns
  /// ``IterationControl/stop``.
  ///
  /// - Throws: any error that `body` throws, unchanged.
  public func forEachUntil(_ body: (borrowing Row) throws -> IterationControl) throws {
    try begin()
    defer { sqlite3_reset(raw) }
    do {
      while try step(), try body(Row(statement: raw)) == .continue {}
    } catch {
      try? finish()
      throw error
    }
    try finish()
  }

  /// Runs the statement, and returns the result of `body` for the first row, or `nil` if there is
  /// no row.
  @inlinable
  public func fetchOne<Element>(_ body: (borrowing Row) throws -> Element) throws -> Element? {
    var element: Element?
    try forEachUntil { row in
      element = try body(row)
      return .stop
    }
    return element
  }

  /// Calls `body` with the first row of a reading statement, if there is a row.
  ///
  /// The caller must reset the statement afterwards, as ``release()`` does.
  func withFirstRow(_ body: (borrowing Row) throws -> Void) throws {
    try begin()
    if try step() { try body(Row(statement: raw)) }
  }

  /// Runs a writing statement to its end, even if its caller needs no more rows.
  ///
  /// Outside of a transaction the last step commits, so an error of that step means that nothing
  /// was written. If a statement is reset before all rows of its `RETURNING` clause are read, and a
  /// trigger has written to a virtual table, SQLite can undo the whole transaction.
  private func finish() throws(StorageError) {
    guard sqlite3_stmt_readonly(raw) == 0, sqlite3_stmt_busy(raw) != 0 else { return }
    while try step() {}
  }

  private func begin() throws(StorageError) {
    if outlivedTransaction {
      throw Connection.endedBefore(on: DatabaseFile.name(of: sqlite3_db_handle(raw)))
    }
    // A statement that is run inside its own rows would restart them each time and never end.
    guard sqlite3_stmt_busy(raw) == 0 else {
      throw .sqliteMisuse(
        """
        cannot run the statement \(printedSQL): an earlier run of this statement is still \
        returning rows
        """,
        suggestion: """
          run the statement after the closure that receives these rows has ended, or prepare a \
          second statement with the same SQL
          """)
    }
    try requireValues()
    try willRun()
  }
}
