import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A command that recommends better places for the data of an application.
struct AdviseCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Recommends better places for data, and finds secrets outside of vaults.",
    discussion: """
      Each paragraph names a rule, a store, what it concerns, the path of the store, the reason, \
      the fix, and a command that follows it, if there is one. The exit status is 1 if there is \
      advice other than notes. Secrets are recognised by their names and forms, also in gzip \
      data; some are missed. In tables, the keys of the first rows with a secret are shown. Of a \
      vault, only names and sizes are examined, and only with its key. The rules are: \
      \(ruleNames.joined(separator: ", ")).
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Option(
    help: "Leave out the advice of this rule; can be repeated.",
    completion: .list(ruleNames))
  var ignore: [String] = []
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  private static let columns = [
    "rule", "severity", "kind", "table", "subject", "count", "rows", "reason", "fix", "command",
    "path",
  ]

  /// A store that was examined, with the advice about it.
  private struct Examined {
    let store: DiscoveredStore
    /// The error of reading the values without the key of the store, or `nil` if they were
    /// examined.
    let lockError: StorageError?
    let advice: [Advice]
  }

  private static var rules: [any AdviceRule] {
    [
      PermissionRule(),
      SecretRule(redactor: Redactor(), decompression: InspectorCommand.decompression),
      LargeValueRule(), RowLikeValuesRule(), RowLikeNamesRule(), LargeBlobRule(),
      MissingIndexRule(), MissingKeyRule(), DatabaseFileRule(), CacheLimitRule(), KeyInHomeRule(),
    ]
  }

  private static var ruleNames: [String] { rules.flatMap { type(of: $0).names }.sorted() }

  func validate() throws {
    try targets.validate()
    for rule in ignore where !Self.ruleNames.contains(where: { $0.isExactly(rule) }) {
      throw ValidationError(
        "--ignore is \(rule). Pass one of these rules: "
          + Self.ruleNames.joined(separator: ", ") + ".")
    }
  }

  func run() throws {
    try Output.run(output.format) {
      let rules = Self.rules.filter { rule in
        type(of: rule).names.contains { name in !ignore.contains { $0.isExactly(name) } }
      }
      let targets = try targets.existingStores(of: selectedKinds)
      let column = TargetColumn(of: targets)
      let progress = Progress("examining", stores: targets.stores.count)
      defer { progress.end() }
      let listings = FolderListings()
      let (found, problems) = try targets.gather { target in
        try Problem.gather(from: target.stores) { store -> Examined in
          progress.begin(store.name)
          let advised = try AdvisedStore(
            store, of: target, engine: InspectorCommand.queryEngine, listedBy: listings)
          return Examined(
            store: store, lockError: advised.lockError,
            advice: try rules.flatMap { try $0.advice(about: advised) })
        }
      }
      let advice = found.flatMap { examined in examined.advice.map { (examined.store, $0) } }
        .filter { _, advice in !ignore.contains { $0.isExactly(advice.rule) } }
      try write(advice, column)
      let isOnlyNotes = advice.allSatisfy { _, advice in advice.severity == .note }
      if isOnlyNotes {
        let count = found.count { $0.lockError == nil }
        let exception = advice.isEmpty ? "" : " other than notes"
        Output.note(
          "no advice\(exception): \(count) \(count == 1 ? "store was" : "stores were") examined")
      }
      for examined in found {
        guard let error = examined.lockError else { continue }
        Output.note(Problem(store: examined.store, error: error).suggestingOptions.sentence)
      }
      if !isOnlyNotes { throw Output.Ending(problems: problems) }
      return problems
    }
  }

  /// Writes the advice as paragraphs for people, or as rows.
  private func write(_ advice: [(DiscoveredStore, Advice)], _ column: TargetColumn) throws {
    switch output.format {
    case .auto, .table:
      let width = output.options().width
      let text = advice.map { Self.paragraph($0, $1, in: width) }.joined()
      try Output.bytes(Data(text.utf8))
    default:
      try Output.rows(
        column.columns(Self.columns),
        advice.map { store, advice in
          column.row(
            store.target,
            [
              .text(advice.rule), .text(advice.severity.rawValue), .text(advice.store),
              ResultValue(advice.table), .text(advice.subject), ResultValue(advice.count),
              advice.rows.isEmpty ? .absent : .list(advice.rows.map { .text($0) }),
              .text(advice.reason), .text(advice.fix), ResultValue(advice.command),
              .text(store.path),
            ])
        }, output)
    }
  }

  private static func paragraph(
    _ store: DiscoveredStore, _ advice: Advice, in width: Int?
  ) -> String {
    let subject = ValueText.safe(advice.subject)
    let target = store.target.map { "\(ValueText.safe($0)): " } ?? ""
    let kind = ValueText.safe(advice.store)
    let start = advice.severity == .note ? "\(target)note: " : target
    let heading =
      start + TextStyle.heading.applied(to: advice.rule, on: STDOUT_FILENO) + ": "
      + TextStyle.kind.applied(to: kind, on: STDOUT_FILENO) + ":"
    let plain = "\(start)\(advice.rule): \(kind): \(subject)"
    let fits = width.map { DisplayWidth.of(plain) <= $0 } ?? true
    let subjectLine =
      fits ? " \(subject)\n" : "\n" + WrappedLines.text(subject, indentedBy: 2, in: width)
    // The subject of some rules is the path itself. Paths and commands are copied, so they are not
    // divided.
    let path = advice.subject.isExactly(store.path) ? "" : "  \(ValueText.safe(store.path))\n"
    // Some fixes are the command itself.
    let isCommand = advice.command?.isExactly(advice.fix) ?? false
    let fix = ValueText.safe(advice.fix)
    let command = advice.command.flatMap { isCommand ? nil : "  run: \(ValueText.safe($0))\n" }
    return heading + subjectLine + path
      + WrappedLines.text(ValueText.safe(advice.reason), indentedBy: 2, in: width)
      + (isCommand ? "  \(fix)\n" : WrappedLines.text(fix, indentedBy: 2, in: width))
      + (command ?? "")
  }
}
