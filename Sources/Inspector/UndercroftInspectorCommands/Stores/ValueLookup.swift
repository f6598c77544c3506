import Foundation
import UndercroftCore
import UndercroftInspection

/// The search for the value with a name in the stores at a path.
struct ValueLookup {
  let target: Target
  /// The kind of the store, or `nil` for all stores.
  let kind: String?
  /// Whether a confidential value may be shown.
  let mayReveal: Bool

  /// Returns the value with a name, and its store.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if no store or several stores have such a value,
  ///   and ``StorageError/Code/locked`` if only a confidential store has it, which must not be
  ///   shown.
  func find(_ name: String) throws -> (
    store: DiscoveredStore, bytes: Data, isConfidential: Bool
  ) {
    let stores = try target.existingStores(of: kind)
    var tableOwner: String?
    var tabularKinds: Set<ExactString> = []
    var searched: [OpenedStore] = []
    // The error of a value that was found but must not be shown.
    var hidden: StorageError?
    let (results, problems) = try Problem.gather(from: stores) {
      store -> (DiscoveredStore, Data, Bool)? in
      let opened = try store.open()
      if opened.report.isTabular {
        if let kind = store.kind { tabularKinds.insert(ExactString(kind)) }
        tableOwner = try owner(of: name, store, opened) ?? tableOwner
        return nil
      }
      if opened.isConfidential, !mayReveal {
        let error = try hiddenError(name, opened, store)
        // A locked store does not reveal whether it has the value.
        if (try? Self.bytes(of: name, in: opened)) != nil { hidden = hidden ?? error }
        throw error
      }
      searched.append(opened)
      return try Self.bytes(of: name, in: opened).map { (store, $0, opened.isConfidential) }
    }
    let found = results.compactMap { $0 }
    guard let first = found.first else {
      if let hidden { throw hidden }
      if let problem = problems.first(where: \.isFailure) { throw problem.error }
      if let tableOwner { throw tableError(name, tableOwner) }
      if let store = stores.first(where: { $0.kind != nil && $0.kind == name }) {
        throw kindError(of: store, hasTables: tabularKinds.contains(ExactString(name)))
      }
      if kind != nil, searched.isEmpty, !tabularKinds.isEmpty { throw tablesOnlyError(name) }
      throw missingError(name, searched)
    }
    guard found.count == 1 else {
      let kinds = found.map { $0.0.name }.joined(separator: ", ")
      throw StorageError(
        .unavailable,
        """
        cannot show the value \(quoted(name)): each of the kinds \(kinds) has a value with \
        this name
        """,
        suggestion: "select one of these kinds with --kind")
    }
    // The value was found, so errors of other stores are only reported as notes.
    for problem in problems where problem.isFailure { Output.note(problem.sentence) }
    return first
  }

  /// Returns the value that a user means by `name`, or `nil` if the store has no such value.
  private static func bytes(of name: String, in store: OpenedStore) throws -> Data? {
    for candidate in NameText.interpretations(of: name) {
      if let bytes = try store.bytes(of: candidate) { return bytes }
    }
    return nil
  }

  /// Returns the path of the database if it has a table with a name, and `nil` otherwise.
  private func owner(
    of table: String, _ store: DiscoveredStore, _ opened: OpenedStore
  ) throws -> String? {
    let tables = try opened.tables(countingRows: false) ?? []
    return tables.table(named: table) == nil ? nil : store.path
  }

  /// Returns the error about a name that none of the searched stores has.
  private func missingError(_ name: String, _ searched: [OpenedStore]) -> StorageError {
    let selected = KindPhrase.of(kind)
    var nearest = NearestName(to: name)
    // An error of reading the names must not replace the error about the value.
    for store in searched { try? nearest.compareEntries(of: store) }
    return StorageError(
      .unavailable,
      """
      cannot show the value \(quoted(name)): no readable store\(selected) at \
      \(quoted(target.path)) has a value with this name
      """,
      suggestion: nearest.question + """
        run "undercroft keys" with this path to list the names of the values; if the value is \
        confidential, repeat "undercroft get" with \(RevealArguments.suggestedOptions); if the \
        value is in a vault, also pass \(StorageError.keyOptions)
        """)
  }

  /// Returns the error about a value of a kind that has tables.
  private func tablesOnlyError(_ name: String) -> StorageError {
    StorageError(
      .unavailable,
      """
      cannot show the value \(quoted(name)): the store\(KindPhrase.of(kind)) at \
      \(quoted(target.path)) is a database with tables, which has no named values
      """,
      suggestion: """
        run "undercroft rows" with this path to list the tables, or omit --kind to search all \
        stores
        """)
  }

  /// Returns the error about a name that is that of a kind.
  private func kindError(of store: DiscoveredStore, hasTables: Bool) -> StorageError {
    let options = "\(ShellText.shown(target.path)) --kind \(ShellText.shown(store.name))"
    return StorageError(
      .unavailable,
      """
      cannot show the value \(quoted(store.name)): \(quoted(store.name)) is a kind of data, and no \
      readable store has a value with this name
      """,
      suggestion: hasTables
        ? "run \"undercroft rows \(options)\" to list the tables of the kind"
        : "run \"undercroft keys \(options)\" to list the names of the values of the kind")
  }

  private func tableError(_ name: String, _ path: String) -> StorageError {
    StorageError(
      .unavailable,
      """
      cannot show the value \(quoted(name)): \(quoted(name)) is a table of the database at \
      \(quoted(path))
      """,
      suggestion: """
        run "undercroft rows" to show the rows of the table, or "undercroft schema" to show its \
        definition
        """)
  }

  /// Returns the error of a value that must not be shown, whose suggestion names all options that
  /// are missing.
  private func hiddenError(
    _ name: String, _ opened: OpenedStore, _ store: DiscoveredStore
  ) throws(StorageError) -> StorageError {
    let reveal = "\(RevealArguments.suggestedOptions) to show the value"
    if let error = try opened.lockError() {
      guard error.underlying is MissingCredentials else { return error }
      // Without the cause, the suggestion is not replaced by one that omits --reveal.
      return StorageError(
        error.code, error.failure,
        suggestion: "pass \(StorageError.keyOptions), and \(reveal)", backend: error.backend)
    }
    return StorageError(
      .locked,
      "cannot show the value \(quoted(name)): the store at \(quoted(store.path)) is confidential",
      suggestion: "add \(reveal)")
  }
}
