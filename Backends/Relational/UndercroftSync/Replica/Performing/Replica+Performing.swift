import UndercroftCore
import UndercroftSQLite

extension Replica {
  /// Runs `body` in a write transaction whose changes the triggers capture, like those of the
  /// application.
  ///
  /// - Parameter action: the verb and the object of errors, such as `answer the conflict "c1"`.
  /// - Throws: ``StorageError/Code/constraintViolated`` if `body` violates a constraint of the
  ///   database, and all other errors of `body`, unchanged.
  func perform<Result>(
    to action: String, _ body: (ReplicaTransaction) throws -> Result
  ) throws -> Result {
    do {
      return try database.write(lock: .immediate) { db in
        let transaction = try ReplicaTransaction(
          scope, in: db, environment: environment, limits: limits, schemaVersion: schemaVersion,
          cipher: cipher, isStrict: true)
        // If a program has set `sync_clock.wall_ms` before, this time remains.
        let isTimed = try db.execute(
          "UPDATE sync_clock SET wall_ms = \(environment.now()) WHERE wall_ms IS NULL")
        let result = try body(transaction)
        if isTimed > 0 { try db.execute("UPDATE sync_clock SET wall_ms = NULL") }
        return result
      }
    } catch let refusal as RowRefusal {
      throw Self.refused(action, refusal)
    } catch let ended as EndedTransaction {
      throw Self.refused(action, ended.refusal)
    } catch let error as StorageError where RowRefusal(causeOf: error) != nil {
      throw StorageError(
        .constraintViolated, "cannot \(action): \(error.failure)",
        suggestion: Self.constraintSuggestion, backend: "sync", underlying: error)
    }
  }

  private static func refused(_ action: String, _ refusal: RowRefusal) -> StorageError {
    StorageError(
      .constraintViolated, "cannot \(action): \(refusal.reason)",
      suggestion: refusal.suggestion ?? constraintSuggestion, backend: "sync")
  }

  private static let constraintSuggestion = """
    pass values that the constraints and triggers of the table permit and that are not too large, \
    or first change the other rows that conflict with the change
    """
}

extension StorageError {
  /// Returns the error of a call with invalid arguments: `cannot <action>: <reason>; <suggestion>`.
  static func cannotPerform(
    _ action: String, _ reason: String, suggestion: String
  ) -> StorageError {
    StorageError(
      .misuse, "cannot \(action): \(reason)", suggestion: suggestion, backend: "sync")
  }
}
