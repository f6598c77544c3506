import CSQLite
public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Placeholders are numbered from 1, as SQL writes them (`?1`); a bound value stays until another takes its place. What was never bound is
// an error, of the first 64. The overloads for optionals stand back, so that a plain `nil` is an ``SQLNull``.

extension Statement {
  /// Binds text, or NULL for `nil`. (`sqlite3_bind_text64`)
  ///
  /// - Throws: ``StorageError/Code/misuse`` when there is no such placeholder, as for every other type.
  @_disfavoredOverload
  public func bind(_ text: String?, at position: Int) throws(StorageError) {
    let place = Int32(clamping: position)
    if let text { try bind(text, at: place) } else { try bind(SQLValue.null, at: place) }
  }

  /// Binds an integer, or NULL for `nil`. (`sqlite3_bind_int64`)
  @_disfavoredOverload
  public func bind(_ number: Int64?, at position: Int) throws(StorageError) {
    try bind(number.map(SQLValue.integer) ?? .null, at: Int32(clamping: position))
  }

  /// Binds an integer, or NULL for `nil`. (`sqlite3_bind_int64`)
  @_disfavoredOverload
  public func bind(_ number: Int?, at position: Int) throws(StorageError) {
    try bind(number.map { .integer(Int64($0)) } ?? .null, at: Int32(clamping: position))
  }

  /// Binds a floating-point number, or NULL for `nil`. (`sqlite3_bind_double`)
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` for NaN, which SQLite cannot keep.
  @_disfavoredOverload
  public func bind(_ number: Double?, at position: Int) throws(StorageError) {
    try bind(try number?.sqlValue() ?? .null, at: Int32(clamping: position))
  }

  /// Binds a boolean as 1 or 0, or NULL for `nil`.
  @_disfavoredOverload
  public func bind(_ flag: Bool?, at position: Int) throws(StorageError) {
    try bind(flag.map { .integer($0 ? 1 : 0) } ?? .null, at: Int32(clamping: position))
  }

  /// Binds bytes, or NULL for `nil`. (`sqlite3_bind_blob64`)
  @_disfavoredOverload
  public func bind(_ bytes: Data?, at position: Int) throws(StorageError) {
    let place = Int32(clamping: position)
    if let bytes { try bind(bytes, at: place) } else { try bind(SQLValue.null, at: place) }
  }

  /// Binds any other value that can stand in SQL.
  @_disfavoredOverload  // The others cost less.
  public func bind(_ value: some SQLBindable, at position: Int) throws(StorageError) {
    try bind(try value.sqlValue(), at: Int32(clamping: position))
  }

  /// Runs to the end, looking at no row, and is ready to be run again. (`sqlite3_step`, `sqlite3_reset`)
  ///
  /// - Throws: ``StorageError/Code/misuse`` when one of the first 64 placeholders was never bound, as do all that run it. What a function
  ///   throws is told in place of this one's error by ``Connection/prepare(_:_:)``, which the error leaves.
  public func run() throws(StorageError) {
    try begin()
    defer { sqlite3_reset(raw) }
    while try step() {}
  }

  /// Runs and calls `body` with one row after the other, keeping none.
  ///
  /// - Throws: what `body` throws, unchanged.
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

  /// Runs and calls `body` with one row after the other until it returns ``RowStep/stop``.
  ///
  /// - Throws: what `body` throws, unchanged.
  public func walk(_ body: (borrowing Row) throws -> RowStep) throws {
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

  /// Runs and returns what `body` makes of the first row, or `nil` when there is none.
  public func first<Element>(_ body: (borrowing Row) throws -> Element) throws -> Element? {
    var element: Element?
    try walk { row in
      element = try body(row)
      return .stop
    }
    return element
  }

  /// Runs a statement that writes to its end, also if its caller wants no more rows.
  ///
  /// Outside of a transaction the last step commits, so its error means that nothing was written. A statement that is cut short
  /// after a row of its `RETURNING` can undo the whole transaction where a trigger wrote to a virtual table.
  private func finish() throws(StorageError) {
    guard sqlite3_stmt_readonly(raw) == 0, sqlite3_stmt_busy(raw) != 0 else { return }
    while try step() {}
  }

  private func begin() throws(StorageError) {
    if isLeftBehind { throw Connection.endedBefore }
    // A statement that is run within its own rows would begin them anew, for ever.
    guard sqlite3_stmt_busy(raw) == 0 else {
      throw .sqliteMisuse(
        "cannot run a statement within its own rows", cure: "prepare another one of the same SQL")
    }
    try requireValues()
    try tellOfRun()
  }
}
