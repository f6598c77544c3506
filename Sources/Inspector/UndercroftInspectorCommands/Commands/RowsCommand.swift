import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that shows rows of a table, or lists the tables.
struct RowsCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "rows",
    abstract: "Shows rows of a table. Without a name, lists the tables.",
    discussion: """
      The kind may precede the name of a table, as in record.book, unless a table has this name \
      itself. The rows have the order in which the store reads them; for another order, run \
      undercroft query PATH "SELECT * FROM record.book ORDER BY title". \(RedactionArguments.help)
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The name of the table.", completion: .tableNames) var table: String?
  @OptionGroup var further: FurtherArguments
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Option(parsing: .unconditional, help: "The number of rows to skip.") var offset = 0
  @OptionGroup var redaction: RedactionArguments
  @OptionGroup var revealing: RevealArguments
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try target.validate()
    if offset < 0 { throw ValidationError("--offset is \(offset). Pass a number of at least 0.") }
  }

  func run() throws {
    try Output.run(output.format) {
      let stores = try target.existingStores(of: selectedKinds)
      var damage: [Problem] = []
      let (found, problems) = try Problem.gather(from: stores) { store -> StoreTables? in
        let opened = try store.open()
        guard let tables = try opened.tables(countingRows: table == nil) else { return nil }
        damage += tables.filter { $0.isDamaged && !$0.isView }
          .map { Problem(damagedTable: $0.name, of: store) }
        return StoreTables(
          store: store, isConfidential: opened.isConfidential, names: [store.name],
          kind: store.kind, tables: tables)
      }
      let withTables = found.compactMap { $0 }
      if withTables.isEmpty, !problems.contains(where: \.isFailure) {
        let object = table.map { "the table \(quoted($0))" } ?? "the tables"
        // A kind of named values is a table for `query`.
        let suggestion = stores.first { $0.kind == table && $0.kind != nil }
          .map(Self.suggestion(of:))
        throw StorageError(
          .unavailable,
          """
          cannot show \(object): no readable store\(selected) at \(quoted(target.path)) is a \
          database with tables
          """,
          suggestion: suggestion ?? table.flatMap(suggestionOfOtherKind) ?? """
            run "undercroft ls" with this path to list the stores, or "undercroft keys" to list \
            the names of the values
            """)
      }
      if let table {
        let tabular = Set(withTables.compactMap { $0.kind.map { ExactString($0) } })
        let (name, candidates) = withTables.resolving(table)
        if candidates.owners(of: name).isEmpty {
          let suggestion = stores.first { store in
            store.kind == name && !tabular.contains(ExactString(name))
          }.map(Self.suggestion(of:))
          throw missing(name, in: candidates, suggestion, problems)
        }
        try show(name, in: candidates)
        // The table was found, so errors of other stores are only reported as notes.
        for problem in problems where problem.isFailure { Output.note(problem.sentence) }
        return problems.filter { !$0.isFailure }
      }
      try list(withTables)
      return problems + damage
    }
  }

  /// Returns the suggestion for the name of a kind that has named values and no tables.
  private static func suggestion(of store: DiscoveredStore) -> String {
    let kind = store.name
    let showing =
      store.isConfidential
      ? "\"undercroft get\" with \(RevealArguments.suggestedOptions) to show a value"
      : """
      "undercroft query" with 'SELECT * FROM \(SQLIdentifier.shown(kind))' to show the values
      """
    return """
      \(quoted(kind)) is a kind with named values; run "undercroft keys" with \
      --kind \(ShellText.shown(kind)) to list the names, or \(showing)
      """
  }

  /// Returns the error about a table that no readable store has.
  ///
  /// The table can be in a store that was not read, so the errors of these stores are added.
  ///
  /// - Parameter suggestion: the suggestion if the table has the name of a kind.
  private func missing(
    _ table: String, in stores: [StoreTables], _ suggestion: String?, _ problems: [Problem]
  ) -> any Error {
    let suggestion =
      suggestion ?? suggestionOfOtherKind(with: table) ?? Self.suggestion(for: table, in: stores)
    let partial = StorageError(
      .unavailable,
      """
      cannot show the table \(quoted(table)): the stores\(selected) at \(quoted(target.path)) \
      that could be read have no table with this name, and other stores could not be read
      """,
      suggestion: "correct the errors of the other stores; otherwise, \(suggestion)")
    if let errors = UnreadStores(problems).problems(ofMissing: table, partial) { return errors }
    return StorageError(
      .invalidKey,
      """
      cannot show the table \(quoted(table)): no readable store\(selected) at \
      \(quoted(target.path)) has a table with this name
      """,
      suggestion: suggestion)
  }

  /// Returns the suggestion to select another kind than that of the option `--kind`, or `nil` if no
  /// other kind has the table.
  private func suggestionOfOtherKind(with table: String) -> String? {
    // Finding the stores again would ask for the passphrase again.
    guard !selectedKinds.isEmpty, !access.askPassphrase, let stores = try? target.stores() else {
      return nil
    }
    return stores.suggestion(ofTable: table, outside: selectedKinds)
  }

  /// Returns the suggestion for a table that no store has.
  private static func suggestion(for table: String, in stores: [StoreTables]) -> String {
    if FileManager.default.fileExists(atPath: table) {
      return """
        the command accepts one path, and the second argument is the name of a table; run it once \
        for each path
        """
    }
    let known = stores.flatMap(\.tables).map(\.name).joined(separator: ", ")
    return known.isEmpty
      ? "run \"undercroft ls\" with this path to list the stores and the errors of reading them"
      : stores.question(aboutTable: table) + "choose one of these tables: \(known)"
  }

  /// The part of a message that names the kind of the option `--kind`, or an empty string.
  private var selected: String { KindPhrase.of(selectedKinds) }

  /// The tables of a store, which is closed again, because a home can have more databases than a
  /// process can open.
  private struct StoreTables: TableOwner {
    let store: DiscoveredStore
    let isConfidential: Bool
    let names: [String]
    let kind: String?
    let tables: [InspectedTable]
  }

  // MARK: Tables

  private func list(_ stores: [StoreTables]) throws {
    let kinds = KindColumn(stores.map(\.kind))
    let rows = stores.flatMap { store in
      store.tables.map { table in
        kinds.row(
          store.kind,
          [
            .text(table.name), ResultValue(table.rowCount),
            .list(table.columns.map { .text($0) }),
          ])
      }
    }
    try Output.rows(kinds.columns(["table", "rows", "columns"]), rows, output)
  }

  // MARK: Rows

  /// Shows the rows of a table that at least one of the stores has.
  private func show(_ table: String, in stores: [StoreTables]) throws {
    let matching = stores.owners(of: table)
    guard let store = matching.first, matching.count == 1 else {
      let kinds = matching.compactMap(\.kind).joined(separator: ", ")
      throw StorageError(
        .unavailable,
        """
        cannot show the table \(quoted(table)): each of the kinds \(kinds) has a table with \
        this name
        """,
        suggestion: "select one of these kinds with --kind")
    }
    guard !store.isConfidential || revealing.reveal else {
      let owner = KindPhrase.of(store.kind)
      throw StorageError(
        .locked,
        """
        cannot show the table \(quoted(table)): the table belongs to the confidential \
        store\(owner) at \(quoted(target.path))
        """,
        suggestion: """
          repeat the command with \(RevealArguments.suggestedOptions) to show the rows of the table
          """)
    }
    if store.isConfidential { try revealing.confirm() }
    var options = output.options(table: table)
    options.isTabular = true
    let showsSecrets = redaction.showSecrets || store.isConfidential
    let inspected = store.table(named: table)
    var writable = WritableColumns([], of: nil, in: output.format)
    var writer: RedactedRowWriter?
    do {
      try store.store.open().forEachRow(
        of: table, offset: offset,
        columns: {
          writable = WritableColumns($0, of: inspected, in: output.format)
          writer = RedactedRowWriter(
            writable.selected(from: $0), showsSecrets: showsSecrets, output, options)
        },
        row: { row in try writer?.write(writable.selected(from: row)) ?? false })
    } catch let error as StorageError {
      // The rows before the damage of a table are shown.
      if writer?.hasRows == true { try writer?.end() }
      throw error
    }
    try writer?.end()
  }
}
