import CSQLite
import UndercroftCore

extension Connection {
  /// Runs all statements of a script, and returns the number of these statements.
  ///
  /// An empty script is not an error.
  ///
  /// If a statement fails, the effects of the earlier statements remain. To roll them back, let
  /// the closure of the transaction throw the error. If the text of the script is not a literal,
  /// create the script with ``SQL/init(contentsOf:)`` or ``SQL/init(unchecked:arguments:)``.
  ///
  /// - Throws: a ``StorageError`` whose message contains the number and line of the failing
  ///   statement. ``StorageError/Code/misuse`` for a statement that writes inside a read, for
  ///   `BEGIN` or `COMMIT`, and for a statement with placeholders.
  @discardableResult
  public func executeScript(_ script: SQL) throws -> Int {
    try executeScript(script) { _ in .continue }
  }

  /// Runs all statements of a script, and calls `body` with each row that the statements return,
  /// until `body` returns ``IterationControl/stop``.
  ///
  /// - Returns: the number of statements that were run, including the statement at which `body`
  ///   stopped.
  /// - Throws: the errors that ``executeScript(_:)`` throws, and any error that `body` throws,
  ///   unchanged.
  @discardableResult
  public func executeScript(
    _ script: SQL, _ body: (borrowing Row) throws -> IterationControl
  ) throws -> Int {
    try executeStatements(of: script, willRun: { _ in }, body)
  }

  /// Runs all statements of a script, and calls `willRun` before each statement.
  ///
  /// Like ``executeScript(_:_:)``, this function calls `body` with each row
  /// until `body` returns ``IterationControl/stop``, and returns the number
  /// of statements that were run. A ``StorageError`` that `willRun` throws
  /// is rethrown with the number and line of the statement in its message.
  @discardableResult
  package func executeStatements(
    of script: SQL, willRun: (_ statement: String) throws -> Void,
    _ body: (borrowing Row) throws -> IterationControl = { _ in .continue }
  ) throws -> Int {
    var script = try Script(script)
    while let statement = try script.next(on: self) {
      var isInScript = true
      do {
        try willRun(statement)
        let step = try prepare(SQL(unchecked: statement)) { statement in
          guard sqlite3_bind_parameter_count(statement.raw) == 0 else {
            throw StorageError.sqliteMisuse(
              """
              the statement \(statement.printedSQL) contains a placeholder, but a script has no \
              values to bind
              """,
              suggestion: "write the value into the SQL, or run the statement with db.execute(_:)")
          }
          var step = IterationControl.continue
          try statement.forEachUntil { row in
            isInScript = false
            step = try body(row)
            isInScript = true
            return step
          }
          return step
        }
        if step == .stop { return script.count }
      } catch let error as StorageError where isInScript {
        throw script.about(error)
      }
    }
    return script.count
  }
}
