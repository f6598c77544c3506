import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that runs an SQL statement on the stores at a path.
struct QueryCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Runs an SQL statement, which only reads, on the stores at a path.",
    discussion: """
      A store of named values is a table with the name of its kind and the columns name, value \
      and bytes. The tables of a database are in a schema with the name of its kind; without \
      kinds, the name is that of the backend. A table that several databases have needs the name \
      of the schema, as in record.book. With --attach backup=PATH, the kinds of another home are \
      backup_record and so on, and a single store is backup. Confidential stores are left out.

      The functions of SQLite read the members of JSON:

        undercroft query PATH "\(jsonExample)"

      Kinds can be joined:

        undercroft query PATH "\(joinExample)"

      \(RedactionArguments.help) Values that the statement computes from secrets are not \
      recognised.
      """)

  /// A statement that reads a member of a setting that is JSON, as a word in double quotes of a
  /// shell.
  static let jsonExample = #"""
    SELECT json_extract(value, '\$.days') AS days FROM preference WHERE name = 'loan'
    """#

  /// A statement that joins a table of a database with the named values of another kind, as a word
  /// in double quotes of a shell.
  static let joinExample = """
    SELECT title, c.bytes FROM record.book b JOIN blob c ON c.name = 'cover/' || lower(title)
    """

  /// The number of bytes of memory that the statement can use: 512 MiB.
  private static let memoryLimit = 1 << 29

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The SQL statement.") var sql: String
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Option(
    help: ArgumentHelp(
      "Also query the stores at another path, under a name; can be repeated.",
      valueName: "name=path"),
    completion: .file())
  var attach: [AttachedPath] = []
  @Option(parsing: .unconditional, help: "The maximum duration in seconds; 0 for no limit.")
  var timeLimit = 30.0
  @Flag(help: "Show the steps of the statement, and advice about missing indexes, instead of rows.")
  var explain = false
  @OptionGroup var redaction: RedactionArguments
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try target.validate()
    guard timeLimit.isFinite, (0...1_000_000).contains(timeLimit) else {
      throw ValidationError("--time-limit is \(timeLimit). Pass a number of seconds from 0.")
    }
  }

  func run() throws {
    try Output.run(output.format) {
      guard let engine = InspectorCommand.queryEngine else {
        throw StorageError(
          .notSupported, "cannot run the statement: this tool has no engine for SQL statements",
          suggestion: "run the statement with \"undercroft query\", or show tables with \"rows\"")
      }
      let stores = try statementStores()
      let hidden = stores.confidentialNames
      if !hidden.isEmpty, hidden.contains(where: { sql.contains($0) }) {
        let names = hidden.map { quoted($0) }.joined(separator: ", ")
        Output.note("confidential stores are left out: \(names)")
      }
      let progress = Progress(explain ? "planning the statement" : "running the statement")
      defer { progress.end() }
      progress.begin("")
      var limits = QueryLimits()
      limits.time = timeLimit == 0 ? nil : .seconds(timeLimit)
      limits.processMemory = Self.memoryLimit
      let watchdog = QueryWatchdog(limits.time) { [format = output.format, time = limits.time] in
        progress.end()
        Output.end(with: .reachedTimeLimit(time ?? .zero), in: format)
      }
      defer { watchdog.stop() }
      if explain {
        let plan = try Output.asUsageErrors(output.format) {
          try stores.explainingMissingTables {
            try engine.plan(of: sql, on: stores.queried, limits: limits)
          }
        }
        watchdog.stop()
        try show(plan)
        return stores.unread.problems
      }
      var options = output.options(table: "result")
      options.isTabular = true
      let secrets = SecretValues()
      let observed =
        redaction.showSecrets
        ? stores.queried
        : stores.queried.map {
          QueriedStore(name: $0.name, url: $0.url, store: secrets.recording($0.store))
        }
      var writer: RedactedRowWriter?
      try Output.asUsageErrors(output.format) {
        try stores.explainingMissingTables {
          try engine.run(
            sql, on: observed, limits: limits,
            columns: { names in
              watchdog.pausing {
                writer = RedactedRowWriter(
                  names, showsSecrets: redaction.showSecrets, secrets: secrets, output, options)
              }
            },
            row: { row in
              progress.advance()
              return try watchdog.pausing { try writer?.write(row) ?? false }
            })
        }
      }
      watchdog.stop()
      try writer?.end()
      return stores.unread.problems
    }
  }

  /// Returns the stores at the path and at the attached paths.
  private func statementStores() throws -> StatementStores {
    let credentials = target.credentials()
    var stores = try target.stores(of: selectedKinds, credentials: credentials)
      .map { (name: $0.name, store: $0) }
    for attached in attach {
      stores += try target.stores(at: attached.path, credentials: credentials)
        .map { (attached.name(ofKind: $0.kind), $0) }
    }
    return try StatementStores(stores)
  }

  private func show(_ plan: QueryPlan) throws {
    switch output.format {
    case .auto, .table:
      let steps = plan.steps.map {
        String(repeating: "  ", count: $0.depth) + ValueText.safe($0.text) + "\n"
      }
      let advice =
        plan.suggestedIndexes.isEmpty
        ? "" : "\nThese indexes would let the statement read fewer rows:\n"
      let indexes = plan.suggestedIndexes.map { "  \(ValueText.safe($0));\n" }
      try Output.bytes(Data((steps.joined() + advice + indexes.joined()).utf8))
    default:
      let rows = plan.steps.map { step -> [ResultValue] in
        [.text("step"), ResultValue(step.depth), .text(step.text)]
      }
      let indexes = plan.suggestedIndexes.map { sql -> [ResultValue] in
        [.text("index"), .absent, .text(sql)]
      }
      try Output.rows(["type", "depth", "text"], rows + indexes, output)
    }
  }
}
