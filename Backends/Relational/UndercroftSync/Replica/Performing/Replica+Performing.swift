import UndercroftCore
import UndercroftSQLite

extension Replica {
  /// Runs `body` in a transaction of the application, whose changes the triggers capture.
  ///
  /// - Parameter action: the verb and the object of errors, such as `answer the conflict "c1"`.
  func perform<Result>(
    to action: String, _ body: (ReplicaTransaction) throws -> Result
  ) throws -> Result {
    do {
      return try database.write(lock: .immediate) { db in
        let transaction = try ReplicaTransaction(
          scope, in: db, environment: environment, limits: limits, schemaVersion: schemaVersion,
          cipher: cipher, isStrict: true)
        // A program that has set the time itself does not expect another one.
        let isTimed = try db.execute(
          "UPDATE sync_clock SET wall_ms = \(environment.now()) WHERE wall_ms IS NULL")
        let result = try body(transaction)
        if isTimed > 0 { try db.execute("UPDATE sync_clock SET wall_ms = NULL") }
        return result
      }
    } catch let refusal as RowRefusal {
      throw StorageError(
        .constraintViolated, "cannot \(action): \(refusal.reason)",
        suggestion: "change the values, so that the table can contain the row", backend: "sync")
    } catch let error as StorageError where RowRefusal(causeOf: error) != nil {
      throw StorageError(
        .constraintViolated, "cannot \(action): \(error.failure)",
        suggestion: "change the values, so that the table can contain the row", backend: "sync",
        underlying: error)
    }
  }
}

extension StorageError {
  /// The error of a call with arguments that make no sense.
  static func cannotPerform(
    _ action: String, _ reason: String, suggestion: String
  ) -> StorageError {
    StorageError(
      .misuse, "cannot \(action): \(reason)", suggestion: suggestion, backend: "sync")
  }
}
