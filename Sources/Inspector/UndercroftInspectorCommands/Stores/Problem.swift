import UndercroftCore
import UndercroftInspection

/// An error of one of the stores or paths that a command shows.
///
/// The error is reported, and the other stores are still shown.
struct Problem {
  /// The path as the user has passed it, or `nil` if it is the only path.
  let target: String?
  /// The store, or `nil` if the error concerns the path.
  let store: DiscoveredStore?
  private(set) var error: StorageError

  init(store: DiscoveredStore, error: StorageError) {
    (self.target, self.store, self.error) = (store.target, store, error)
  }

  /// Creates a problem of one of several paths.
  init(target: String, error: StorageError) {
    (self.target, self.store, self.error) = (target, nil, error)
  }

  /// Creates a problem that concerns neither one store nor one of several paths.
  init(error: StorageError) {
    (self.target, self.store, self.error) = (nil, nil, error)
  }

  /// The error with its suggestion, after the path if there are several, and the name of the store.
  var sentence: String {
    ([target, store?.name].compactMap(\.self) + [error.message]).joined(separator: ": ")
  }

  /// Whether the command fails because of the error.
  ///
  /// The value is `false` only for the error ``StorageError/Code/locked`` of a confidential
  /// or encrypted store or a vault of a home, because this error usually means that no key was
  /// passed. If a key file was passed that does not exist, the value is `true`, so that a script
  /// notices a misspelt path.
  var isFailure: Bool {
    guard error.code == .locked, let store else { return true }
    if (error.underlying as? MissingCredentials)?.isKeyFileGiven == true { return true }
    let isVaultOfHome = store.kind != nil && store.vault != nil
    return !(store.isConfidential || store.isEncrypted || isVaultOfHome)
  }

  /// The same problem, whose suggestion names the options that read a store beside its writer.
  var suggestingOptions: Problem {
    var problem = self
    problem.error = error.suggestingOptions
    return problem
  }

  /// Returns the results of `body` for the stores for which `body` succeeds, and the errors for the
  /// other stores.
  ///
  /// - Throws: the error that `body` throws, if there is only one store or the error is not a
  ///   `StorageError`.
  static func gather<Result>(
    from stores: [DiscoveredStore], _ body: (DiscoveredStore) throws -> Result
  ) throws -> (results: [Result], problems: [Problem]) {
    try gather(from: stores, store: \.self, body)
  }

  /// Returns the results of `body` for the elements for which `body` succeeds, and the errors for
  /// the stores of the other elements.
  ///
  /// - Throws: the error that `body` throws, if there is only one element or the error is not a
  ///   `StorageError`.
  static func gather<Element, Result>(
    from elements: [Element], store: (Element) -> DiscoveredStore,
    _ body: (Element) throws -> Result
  ) throws -> (results: [Result], problems: [Problem]) {
    var results: [Result] = []
    var problems: [Problem] = []
    for element in elements {
      do {
        results.append(try body(element))
      } catch let error as StorageError where elements.count > 1 {
        problems.append(Problem(store: store(element), error: error))
      }
    }
    return (results, problems)
  }
}

/// The errors of a command without a result, such as those of all its paths, at none of which there
/// are stores.
struct Problems: Error {
  let all: [Problem]
}
