import Foundation
import UndercroftCore
import UndercroftInspection

/// The stores at one path that the user has passed.
struct FoundTarget {
  /// The path as the user has passed it.
  let path: String
  /// The stores, which contain the path if it is one of several.
  var stores: [DiscoveredStore]
  /// All stores at the path, of all kinds, including those that do not exist.
  let allStores: [DiscoveredStore]
  /// The format of the file or folder, if it is not a store but its format is known.
  var otherFormat: IdentifiedFormat?

  var location: URL { Target.location(of: path) }
}

/// The stores at all paths of a command, and the errors of the paths at which no stores are found.
struct FoundTargets {
  private(set) var targets: [FoundTarget] = []
  /// The errors of the paths at which no stores are found.
  private(set) var problems: [Problem] = []
  /// Whether the user has passed several paths.
  let isSeveral: Bool

  /// Finds the stores at the paths.
  ///
  /// - Parameters:
  ///   - paths: the paths.
  ///   - kinds: the kinds of the stores, or no kind for all stores.
  ///   - access: the way in which the stores are read.
  ///   - includesOtherFormats: whether a path without stores is included if its format is known.
  /// - Throws: the error of the only path, or ``Problems`` if no path of several has stores.
  init(
    at paths: [String], of kinds: [String], _ access: AccessArguments,
    orOtherFormats includesOtherFormats: Bool = false
  ) throws {
    isSeveral = paths.count > 1
    let credentials = access.credentials()
    for path in paths {
      do {
        let target = Target(path: path, access: access)
        if includesOtherFormats, let format = target.identifiedFormat {
          targets.append(FoundTarget(path: path, stores: [], allStores: [], otherFormat: format))
          continue
        }
        let all = try target.stores(credentials: credentials)
        var stores = try Target.stores(of: kinds, among: all, at: path)
        if isSeveral { for index in stores.indices { stores[index].target = path } }
        targets.append(FoundTarget(path: path, stores: stores, allStores: all))
      } catch let error as StorageError where isSeveral {
        problems.append(Problem(target: path, error: error))
      }
    }
    if targets.isEmpty { throw Problems(all: problems) }
  }

  /// The stores at all paths.
  var stores: [DiscoveredStore] { targets.flatMap(\.stores) }

  /// The same paths with the stores that exist, and the single store at each path even if it does
  /// not exist, so that opening it throws the reason.
  var existing: FoundTargets { filter { $0.exists || $0.kind == nil } }

  /// Returns the same paths with the stores for which `isIncluded` returns `true`.
  func filter(_ isIncluded: (DiscoveredStore) -> Bool) -> FoundTargets {
    var found = self
    for index in targets.indices {
      found.targets[index].stores = targets[index].stores.filter(isIncluded)
    }
    return found
  }

  /// Returns the results of `body` for the paths for which `body` succeeds, and the errors of the
  /// other paths together with those that `body` returns.
  ///
  /// - Throws: the error that `body` throws, if there is only one path or the error is not a
  ///   `StorageError`.
  func gather<Result>(
    _ body: (FoundTarget) throws -> (results: [Result], problems: [Problem])
  ) throws -> (results: [Result], problems: [Problem]) {
    var results: [Result] = []
    var problems = problems
    for target in targets {
      do {
        let (new, others) = try body(target)
        results += new
        problems += others
      } catch let error as StorageError where isSeveral {
        problems.append(Problem(target: target.path, error: error))
      }
    }
    return (results, problems)
  }

  /// Returns the results of `body` for the stores for which `body` succeeds, and the errors for the
  /// other stores and paths.
  ///
  /// - Throws: the error that `body` throws, if there is only one store or the error is not a
  ///   `StorageError`.
  func gatherStores<Result>(
    _ body: (DiscoveredStore) throws -> Result
  ) throws -> (results: [Result], problems: [Problem]) {
    try gather { try Problem.gather(from: $0.stores, body) }
  }
}
