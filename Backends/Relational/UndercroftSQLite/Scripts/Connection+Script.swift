import UndercroftCore

extension Connection {
  /// Runs all statements of a script, and returns their number.
  ///
  /// An empty script is not an error.
  ///
  /// If a statement fails, the effects of the earlier statements remain, unless the error leaves
  /// the closure of the transaction and so rolls it back. Create the script with
  /// ``SQL/init(contentsOf:)`` or ``SQL/init(unchecked:arguments:)`` if its text is not a literal.
  ///
  /// - Throws: ``StorageError`` that names the failing statement by its
  ///   number and line. ``StorageError/Code/misuse`` for a statement
  ///   that writes inside a read, and for `BEGIN` or `COMMIT`.
  @discardableResult
  public func executeScript(_ script: SQL) throws -> Int {
    try executeScript(script) { _ in .continue }
  }

  /// Runs all statements of a script, and calls `body` with every row that any of them returns.
  ///
  /// - Returns: the number of statements that were run, including the one at which `body` stopped.
  /// - Throws: the errors of ``executeScript(_:)``, and the errors of `body`, unchanged.
  @discardableResult
  public func executeScript(
    _ script: SQL, _ body: (borrowing Row) throws -> IterationControl
  ) throws -> Int {
    var script = try Script(script)
    while let statement = try script.next(on: self) {
      var isInScript = true
      do {
        let step = try prepare(SQL(unchecked: statement)) { statement in
          // Throws if the statement has placeholders, because a script has no values for them.
          try statement.bind([])
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
