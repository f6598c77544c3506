import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that recommends better places for the data of an application.
struct AdviseCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Recommends better places for the data of an application.",
    discussion: """
      Each paragraph names a rule, a store, what it concerns, the path of the store, the reason \
      and the fix. The exit status is 1 if there is advice. Secrets are recognised by names and \
      forms, so some are missed. The rules are: \(ruleNames.joined(separator: ", ")).
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @OptionGroup var access: AccessArguments
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Option(
    help: "Leave out the advice of this rule; can be repeated.",
    completion: .list(ruleNames))
  var ignore: [String] = []
  @OptionGroup var output: RowArguments

  private static let columns = [
    "rule", "kind", "table", "subject", "count", "reason", "fix", "path",
  ]

  private static var rules: [any AdviceRule] {
    [
      PermissionRule(), SecretRule(redactor: Redactor()), LargeValueRule(), RowLikeValuesRule(),
      RowLikeNamesRule(), LargeBlobRule(), MissingIndexRule(), MissingKeyRule(),
      DatabaseFileRule(), CacheLimitRule(),
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
      let targets = try targets.existingStores(of: kind)
      let column = TargetColumn(of: targets)
      let progress = Progress("examining", stores: targets.stores.count)
      defer { progress.end() }
      let (found, problems) = try targets.gatherStores { store in
        progress.begin(store.name)
        let advised = try AdvisedStore(store, engine: InspectorCommand.queryEngine)
        return try rules.flatMap { try $0.advice(about: advised) }.map { (store, $0) }
      }
      let advice = found.flatMap(\.self).filter { _, advice in
        !ignore.contains { $0.isExactly(advice.rule) }
      }
      switch output.format {
      case .auto, .table: try Output.bytes(Data(advice.map(Self.paragraph).joined().utf8))
      default:
        try Output.rows(
          column.columns(Self.columns),
          advice.map { store, advice in
            column.row(
              store.target,
              [
                .text(advice.rule), .text(advice.store), ResultValue(advice.table),
                .text(advice.subject), ResultValue(advice.count), .text(advice.reason),
                .text(advice.fix), .text(store.path),
              ])
          }, output)
      }
      if advice.isEmpty {
        let stores = found.count == 1 ? "1 store was" : "\(found.count) stores were"
        Output.note("no advice: \(stores) examined")
      }
      if !advice.isEmpty { throw Output.Ending(problems: problems) }
      return problems
    }
  }

  private static func paragraph(_ store: DiscoveredStore, _ advice: Advice) -> String {
    // The subject of some rules is the path itself.
    let path = advice.subject.isExactly(store.path) ? "" : "  \(ValueText.safe(store.path))\n"
    return """
      \(store.target.map { "\(ValueText.safe($0)): " } ?? "")\
      \(TextStyle.heading.applied(to: advice.rule, on: STDOUT_FILENO)): \
      \(TextStyle.kind.applied(to: ValueText.safe(advice.store), on: STDOUT_FILENO)): \
      \(ValueText.safe(advice.subject))
      \(path)\
        \(ValueText.safe(advice.reason))
        \(ValueText.safe(advice.fix))

      """
  }
}
