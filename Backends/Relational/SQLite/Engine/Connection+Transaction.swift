import CSQLite
import UndercroftCore

extension Connection {
  /// Whether a transaction is open. (`sqlite3_get_autocommit`)
  private var isInTransaction: Bool { sqlite3_get_autocommit(raw) == 0 }

  /// Runs `body` in a transaction: kept when it returns, rolled back when it throws, its error unchanged.
  ///
  /// Inside another transaction it is a savepoint, or nothing at all if it only reads. A writing transaction waits for its turn at its beginning and can no longer fail for want of it.
  func transaction<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isInTransaction {
      return try mayWrite ? savepoint(orThrow: wrap, body) : body()
    }
    do throws(StorageError) {
      try cache.run(mayWrite ? .beginWriting : .begin)
    } catch {
      throw wrap(error)
    }
    do throws(Failure) {
      let result = try body()
      do throws(StorageError) { try end() } catch { throw wrap(error) }
      return result
    } catch {
      // The library has rolled back by itself after the gravest errors.
      if isInTransaction { try? cache.run(.rollback) }
      throw error
    }
  }

  private func end() throws(StorageError) {
    guard isInTransaction else { throw Self.endedBefore }
    try cache.run(.commit)
  }

  private func savepoint<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(StorageError) { try cache.run(.savepoint) } catch { throw wrap(error) }
    do throws(Failure) {
      let result = try body()
      do throws(StorageError) {
        guard isInTransaction else { throw Self.endedBefore }
        try cache.run(.release)
      } catch {
        throw wrap(error)
      }
      return result
    } catch {
      if isInTransaction {
        try? cache.run(.rollbackTo)
        try? cache.run(.release)
      }
      throw error
    }
  }

  private static var endedBefore: StorageError {
    .sqliteMisuse(
      "cannot commit: the transaction had ended before its closure did",
      cure: "let no error of a statement pass unseen, and run no COMMIT or ROLLBACK by hand")
  }
}
