import UndercroftCore

extension Connection {
  /// Runs all statements of one text, and returns how many there were; none is no error.
  ///
  /// What ran before one that fails stays, unless the error leaves the transaction. Text from elsewhere is marked as such:
  /// ``SQL/init(contentsOf:)``, ``SQL/init(unchecked:arguments:)``.
  ///
  /// - Throws: ``StorageError`` that names the statement by its number and line; ``StorageError/Code/misuse`` for one that writes within a
  ///   read, and for `BEGIN` or `COMMIT`.
  @discardableResult
  public func executeScript(_ script: SQL) throws -> Int {
    try executeScript(script) { _ in .continue }
  }

  /// Runs all statements of one text, and calls `body` with every row that any of them returns.
  ///
  /// - Returns: how many statements were run, the one at which `body` stopped included.
  /// - Throws: as without `body`, and what that throws, unchanged.
  @discardableResult
  public func executeScript(
    _ script: SQL, _ body: (borrowing Row) throws -> RowStep
  ) throws -> Int {
    var script = try Script(script)
    while let statement = try script.next(on: self) {
      var isOurs = true
      do {
        let step = try prepare(SQL(unchecked: statement)) { statement in
          // None may be unbound.
          try statement.bind([])
          var step = RowStep.continue
          try statement.walk { row in
            isOurs = false
            step = try body(row)
            isOurs = true
            return step
          }
          return step
        }
        if step == .stop { return script.count }
      } catch let error as StorageError where isOurs {
        throw script.about(error)
      }
    }
    return script.count
  }
}
