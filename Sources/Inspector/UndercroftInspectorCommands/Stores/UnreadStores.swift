import UndercroftCore
import UndercroftInspection

/// The stores that a command could not read, one of which may have a table that is not found.
struct UnreadStores {
  private struct Element {
    /// The name by which the user refers to the store, such as its kind.
    let name: String
    let problem: Problem
  }

  private var elements: [Element] = []

  init() {}

  init(_ problems: [Problem]) {
    for problem in problems { add(problem, named: problem.store?.name ?? "") }
  }

  /// The errors of the stores.
  var problems: [Problem] { elements.map(\.problem) }

  mutating func add(_ problem: Problem, named name: String) {
    elements.append(Element(name: name, problem: problem))
  }

  /// Returns the error of the store whose name is the name of the table, or precedes it, such as
  /// `record` in `record.book`.
  func problem(ofStoreIn table: String) -> Problem? {
    elements.first { Self.isName($0.name, in: table) }?.problem
  }

  /// Returns the errors to report if a table is not found, or `nil` if all stores were read.
  ///
  /// If the name of the table contains the name of a store that was not read, only the error of
  /// this store matters. Otherwise, the table can be in each store that was not read.
  ///
  /// - Parameter error: the error about the table.
  func problems(ofMissing table: String, _ error: StorageError) -> Problems? {
    let failures = UnreadStores(failures: self)
    if let problem = failures.problem(ofStoreIn: table) { return Problems(all: [problem]) }
    guard !failures.elements.isEmpty else { return nil }
    return Problems(all: [Problem(error: error)] + failures.problems)
  }

  private init(failures all: UnreadStores) {
    elements = all.elements.filter(\.problem.isFailure)
  }

  /// Returns whether a name of a table is the name of a store, or begins with it and a dot.
  static func isName(_ store: String, in table: String) -> Bool {
    let (store, table) = (store.lowercased(), table.lowercased())
    return table.isExactly(store) || table.utf8.starts(with: (store + ".").utf8)
  }
}
