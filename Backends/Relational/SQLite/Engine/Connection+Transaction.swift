import CSQLite
import UndercroftCore

extension Connection {
  /// Whether a transaction is open. (`sqlite3_get_autocommit`)
  private var isInTransaction: Bool { sqlite3_get_autocommit(raw) == 0 }

  /// Runs `body` in a transaction of its own: kept when it returns, rolled back when it throws, its error unchanged.
  ///
  /// A writing transaction waits for its turn at its beginning and can no longer fail for want of it.
  func transaction<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
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
    guard isInTransaction else {
      throw .sqliteMisuse(
        "cannot commit: the transaction had ended before its closure did",
        cure: "let no error of a statement pass unseen, and run no COMMIT or ROLLBACK by hand")
    }
    try cache.run(.commit)
  }
}
