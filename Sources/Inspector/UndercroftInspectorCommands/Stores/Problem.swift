import UndercroftCore
import UndercroftInspection

/// An error of one of the stores that a command shows.
///
/// The error is reported, and the other stores are still shown.
struct Problem {
  let store: DiscoveredStore
  let error: StorageError

  var sentence: String { "\(store.name): \(error.message)" }

  /// Whether the command fails because of the error.
  ///
  /// The value is `false` only for the error ``StorageError/Code/locked`` of a confidential
  /// or encrypted store, because this error usually means that no key was passed.
  var isFailure: Bool { error.code != .locked || !(store.isConfidential || store.isEncrypted) }

  /// Returns the results of `body` for the stores for which
  /// `body` succeeds, and the errors for the other stores.
  ///
  /// - Throws: the error that `body` throws, if there is only one store or the error is not a
  ///   `StorageError`.
  static func gather<Result>(
    from stores: [DiscoveredStore], _ body: (DiscoveredStore) throws -> Result
  ) throws -> (results: [Result], problems: [Problem]) {
    var results: [Result] = []
    var problems: [Problem] = []
    for store in stores {
      do {
        results.append(try body(store))
      } catch let error as StorageError where stores.count > 1 {
        problems.append(Problem(store: store, error: error))
      }
    }
    return (results, problems)
  }
}
