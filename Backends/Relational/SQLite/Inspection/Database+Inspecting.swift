import UndercroftCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Database {
  /// Lends a connection to a database file as it is now, of which not one byte is changed and beside which nothing is made.
  ///
  /// - Parameter body: may be run more than once, when somebody writes meanwhile to a file that no lock guards.
  package static func inspecting<Value>(
    _ url: URL, _ body: (borrowing Connection) throws -> Value
  ) throws -> Value {
    try InspectedDatabase(at: url).lending(body).get()
  }
}

extension InspectedDatabase {
  fileprivate func lending<Value>(
    _ body: (borrowing Connection) throws -> Value
  ) throws(StorageError) -> Result<Value, any Error> {
    try showing { (view) throws(StorageError) in
      do {
        return .success(
          try view.connection.transaction(orThrow: { $0 as any Error }) { db in try body(db) })
      } catch let error as StorageError {
        throw error
      } catch {
        return .failure(error)
      }
    }
  }
}
