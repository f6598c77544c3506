import Foundation
import UndercroftCore
import UndercroftInspection

/// The states of the parts of a store that was read completely, as far as possible.
struct CheckedStore {
  /// The state of a store or one of its parts; programs read the raw value.
  enum State: String {
    /// No damage was found.
    case ok = "ok"
    /// The data is damaged.
    case damaged = "damaged"
    /// A row violates a constraint of the schema.
    case violated = "violated"
    /// The codec of the kind cannot decode values, which can have another codec.
    case undecoded = "not decoded"
    /// The data was not examined.
    case unchecked = "not checked"
  }

  /// The backends that store no checksum of values, so that a changed value is not recognised.
  private static let backendsWithoutChecksums: Set<ExactString> = [
    "files", "propertyLists", "gdbm", "sqlite",
  ]

  let store: DiscoveredStore
  private(set) var results: [(state: State, reason: String?)]
  /// The error that prevented reading the whole store, or `nil` if there was none.
  private(set) var problem: Problem?

  /// Reads a store completely.
  ///
  /// An error that prevents reading the store is a result.
  init(_ store: DiscoveredStore) throws {
    self.store = store
    do {
      let opened = try store.open()
      let result = try opened.check()
      let findings: [(State, [String])] = [
        (.damaged, result.damage), (.violated, result.violations), (.unchecked, result.unchecked),
      ]
      results = findings.flatMap { state, sentences in
        sentences.map { (state: state, reason: String?.some($0)) }
      }
      if results.isEmpty { results = try Self.contents(of: opened, store) }
    } catch let error as StorageError {
      let problem = Problem(store: store, error: error).suggestingOptions
      self.problem = problem
      results = [(error.code == .corrupted ? .damaged : .unchecked, problem.error.message)]
    }
  }

  var isDamaged: Bool { results.contains { $0.state == .damaged } }

  /// Whether rows violate constraints of the schema, or values cannot be decoded.
  var hasViolations: Bool {
    results.contains { $0.state == .violated || $0.state == .undecoded }
  }

  /// Whether the store or a part of it was not checked.
  var isIncomplete: Bool { results.contains { $0.state == .unchecked } }

  /// Whether the store was not read because of an error that is neither damage nor a missing key.
  var isUnreadable: Bool {
    guard let problem else { return false }
    return problem.error.code != .corrupted && problem.error.code != .locked
  }

  /// Returns the states of the contents of a store whose structure is not damaged.
  ///
  /// - Throws: the error of the first value that cannot be read.
  private static func contents(
    of opened: OpenedStore, _ store: DiscoveredStore
  ) throws -> [(state: State, reason: String?)] {
    guard backendsWithoutChecksums.contains(ExactString(store.scheme)) else { return [(.ok, nil)] }
    do {
      return try ContentCheck.results(of: opened, store)
    } catch let error as StorageError where error.code == .busy {
      // Another process changed the store while the values were read, after its structure was.
      return [(.ok, "contents have no checksum")]
    }
  }
}
