import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that shows the schemas of databases, or compares one with the schema of another
/// database.
struct SchemaCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Shows the SQL that creates databases, or how one differs from another database.",
    discussion: """
      The text has the form of a golden schema of a migrator. With --table, it consists of the \
      statements of one table or view, its indexes and triggers. The kind may precede the name, \
      as in record.book, unless a table has this name itself. If there are several databases, a \
      comment with the path precedes the text of each. With --rows, secrets are not redacted. \
      With --diff, a line begins with + for what only the other schema has, with - for what only \
      the schema at the path has, and with ~ for what differs. The exit status is then 1 if there \
      are differences.
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Option(help: "Only this table or view, with its indexes.", completion: .tableNames)
  var table: String?
  @Flag(help: "Write the rows as well.") var rows = false
  @Flag(help: "Leave out the indexes and full-text tables that declared tables create.")
  var withoutDeclared = false
  @Option(
    help: "Another database, or a file with the SQL of a schema, to compare with.",
    completion: .file())
  var diff: String?
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try targets.validate()
    if targets.paths.count > 1, diff != nil {
      throw ValidationError("--diff compares the database at one path. Pass one path.")
    }
    if rows, diff != nil {
      throw ValidationError("--rows cannot be combined with --diff. Omit one of them.")
    }
    if table != nil, diff != nil {
      throw ValidationError("--table cannot be combined with --diff. Omit one of them.")
    }
    if withoutDeclared, diff != nil {
      throw ValidationError("--without-declared cannot be combined with --diff. Omit one of them.")
    }
  }

  func run() throws {
    try Output.run {
      let targets = try targets.stores(of: selectedKinds)
      // The stores hold the locks of the option `--lock`.
      var locked: [OpenedStore] = []
      defer { withExtendedLifetime(locked) {} }
      let (found, problems) = try targets.gather { target in
        let found = try databases(in: target.stores, at: target.path)
        if access.lock { locked += try found.map { try $0.store.open() } }
        return (found, [])
      }
      guard let diff else {
        let (selected, others) = try selected(from: found)
        return try problems + others + show(selected, isSole: !targets.isSeveral)
      }
      let database = try sole(found)
      let url = try database.store.contentURL()
      guard let difference = try database.schema.difference(url, URL(filePath: diff)) else {
        return []
      }
      try Output.text(Self.colored("\(difference)"))
      throw ExitCode(1)
    }
  }

  private struct Found: TableOwner {
    /// The kinds that the database stores.
    let names: [String]
    let schema: SchemaInspection
    let store: DiscoveredStore
    /// The tables, or no tables as long as none is selected.
    var tables: [InspectedTable] = []
    /// The name of the selected table, as the database spells it.
    var table: String?

    var kinds: String { names.joined(separator: ", ") }
  }

  private func databases(in stores: [DiscoveredStore], at path: String) throws -> [Found] {
    let databases = stores.filter { $0.schema != nil && ($0.exists || $0.kind == nil) }
    let found = DiscoveredStore.withoutSharedFiles(databases).compactMap { store -> Found? in
      let names = databases.filter { $0.url == store.url }.map { $0.name }
      return store.schema.map { Found(names: names, schema: $0, store: store) }
    }
    guard !found.isEmpty else {
      let selected = KindPhrase.of(selectedKinds)
      throw StorageError(
        .unavailable,
        """
        cannot show the schema of \(quoted(path)): no existing store\(selected) at this path is a \
        database with a schema
        """,
        suggestion: table.flatMap { suggestion(ofOtherKindWith: $0) }
          ?? "run \"undercroft ls\" with this path to list the stores")
    }
    return found
  }

  /// Returns the databases that have the selected table, and the errors of the others.
  ///
  /// The result contains the name of the table as each database spells it. Without the option
  /// `--table`, all databases are returned.
  private func selected(
    from databases: [Found]
  ) throws -> (databases: [Found], problems: [Problem]) {
    guard let table else { return (databases, []) }
    let (opened, problems) = try Problem.gather(from: databases, store: { $0.store }) {
      database -> Found in
      var database = database
      database.tables = try database.store.open().tables(countingRows: false) ?? []
      return database
    }
    let (name, owners) = opened.resolving(table)
    let found = owners.compactMap { owner -> Found? in
      var owner = owner
      owner.table = owner.table(named: name)?.name
      return owner.table == nil ? nil : owner
    }
    guard found.isEmpty else { return (found, problems) }
    // The table can be in the database that was not read.
    if let problem = problems.first(where: \.isFailure) { throw problem.error }
    throw StorageError(
      .invalidKey,
      """
      cannot show the schema of \(quoted(table)): no database\(KindPhrase.of(selectedKinds)) at \
      \(targets.paths.map { quoted($0) }.joined(separator: ", ")) has a table or view with this name
      """,
      suggestion: suggestion(ofOtherKindWith: table) ?? opened.question(aboutTable: table)
        + "run \"undercroft rows\" with this path to list the tables")
  }

  /// Returns the suggestion to select another kind than that of the option `--kind`, or `nil` if no
  /// other kind has the table.
  private func suggestion(ofOtherKindWith table: String) -> String? {
    // Finding the stores again would ask for the passphrase again.
    guard !selectedKinds.isEmpty, !access.askPassphrase, let found = try? targets.stores(of: [])
    else { return nil }
    return found.stores.suggestion(ofTable: table, outside: selectedKinds)
  }

  private func sole(_ found: [Found]) throws -> Found {
    guard found.count == 1 else {
      throw StorageError(
        .unavailable,
        """
        cannot compare the schema of \(quoted(targets.paths[0])): the kinds \
        \(found.map(\.kinds).joined(separator: ", ")) have different databases
        """,
        suggestion: "select one of the kinds with --kind")
    }
    return found[0]
  }

  /// Writes the schemas of the databases, with a comment before each if there are several.
  ///
  /// - Parameter isSole: whether the only database has no comment, and its error is thrown.
  private func show(_ found: [Found], isSole: Bool) throws -> [Problem] {
    let isSole = isSole && found.count == 1
    var parts = SchemaInspection.Parts()
    (parts.includesRows, parts.includesDeclared) = (rows, !withoutDeclared)
    if isSole, let error = hiddenRows(of: found[0]) { throw error }
    var problems: [Problem] = []
    for database in found {
      if let error = hiddenRows(of: database) {
        problems.append(Problem(store: database.store, error: error))
        continue
      }
      do {
        parts.table = database.table
        let text = try database.schema.text(try database.store.contentURL(), parts)
        // A line break in the name of a kind would end the comment.
        let kinds = [database.store.target, database.kinds].compactMap(\.self)
        let heading = ValueText.safe(
          "-- \(kinds.joined(separator: ": ")): \(database.store.path)")
        try write(isSole ? text : "\(heading)\n\(text)\n")
      } catch let error as StorageError where !isSole {
        problems.append(Problem(store: database.store, error: error))
      }
    }
    return problems
  }

  private func hiddenRows(of database: Found) -> StorageError? {
    let isHidden = database.store.isConfidential || database.store.isEncrypted
    return rows && isHidden ? Self.hidden(database.store) : nil
  }

  /// Writes the text to standard output.
  ///
  /// Control characters are escaped only if standard output is a terminal.
  private func write(_ text: String) throws {
    try Output.bytes(
      Data((Terminal.isOutput ? ValueText.safe(text, keeping: ["\n", "\t"]) : text).utf8))
  }

  /// Returns a difference with its signs in colours, and without characters that control a
  /// terminal if standard output is one.
  private static func colored(_ difference: String) -> String {
    guard Terminal.isColored(STDOUT_FILENO) else {
      return Terminal.isOutput ? ValueText.safe(difference, keeping: ["\n", "\t"]) : difference
    }
    return ValueText.safe(difference, keeping: ["\n", "\t"])
      .split(separator: "\n", omittingEmptySubsequences: false).map { line in
        guard let style = TextStyle(sign: line.prefix(1)) else { return String(line) }
        return style.applied(to: String(line.prefix(1))) + line.dropFirst()
      }.joined(separator: "\n")
  }

  private static func hidden(_ store: DiscoveredStore) -> StorageError {
    let path = store.path
    let property = store.isEncrypted ? "encrypted" : "confidential"
    return StorageError(
      .locked,
      "cannot show the rows of the database \(quoted(path)): the rows contain \(property) values",
      suggestion: "omit --rows to show only the schema")
  }
}
