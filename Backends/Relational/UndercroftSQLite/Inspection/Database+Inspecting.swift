import UndercroftCore
package import UndercroftFoundation

extension Database {
  /// Runs `body` with a connection to the present state of a database file, without changing the
  /// file or creating files beside it.
  ///
  /// - Parameter body: a closure that reads the database. The closure can run more than once if
  ///   another process writes to a file that is read without a lock.
  package static func inspecting<Value>(
    _ url: URL, _ body: (Connection) throws -> Value
  ) throws -> Value {
    try DatabaseInspector(at: url).reading(body).get()
  }
}

extension DatabaseInspector {
  fileprivate func reading<Value>(
    _ body: (Connection) throws -> Value
  ) throws(StorageError) -> Result<Value, any Error> {
    try withCurrentView { (view) throws(StorageError) in
      do {
        return .success(
          try view.connection.transaction { db in try body(db) })
      } catch let error as StorageError {
        throw error
      } catch {
        return .failure(error)
      }
    }
  }
}
