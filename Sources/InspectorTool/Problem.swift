import Undercroft
import UndercroftInspection

/// What keeps one store out of an answer about several: it is told, and the others are shown.
struct Problem {
  let store: FoundStore
  let error: StorageError

  var sentence: String { "\(store.kind ?? store.scheme): \(error.message)" }

  /// A sealed store without its key is as it should be.
  var isFailure: Bool { error.code != .locked || !(store.isConfidential || store.isSealed) }

  /// Gathers what `body` makes of each store; where there is but one, its error is the answer.
  static func gather<Result>(
    from stores: [FoundStore], _ body: (FoundStore) throws -> Result
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
