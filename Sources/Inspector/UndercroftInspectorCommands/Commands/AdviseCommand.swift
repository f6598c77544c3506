import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that recommends better places for the data of an application.
struct AdviseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Recommends better places for the data of an application.",
    discussion: """
      Each line names a rule, a store, what it concerns, the reason and the fix. The exit status is 1 if there is advice. Secrets are \
      recognised by names and forms, so some are missed.
      """)

  @OptionGroup var target: Target
  @Option(help: "Only about the store of this kind.", completion: .kinds) var kind: String?
  @OptionGroup var output: RowArguments

  private static let columns = ["rule", "store", "subject", "reason", "fix"]

  func run() throws {
    try Output.run(output.format) {
      let rules: [any AdviceRule] = [
        PermissionRule(), SecretRule(redactor: Redactor()), LargeValueRule(), RowLikeValuesRule(),
        LargeBlobRule(),
      ]
      let (found, problems) = try Problem.gather(
        from: try target.existingStores(of: kind)
      ) { store in
        let advised = try AdvisedStore(store)
        return try rules.flatMap { try $0.advice(about: advised) }
      }
      let advice = found.flatMap(\.self)
      switch output.format {
      case .auto, .table: try Output.bytes(Data(advice.map(Self.paragraph).joined().utf8))
      default:
        try Output.rows(
          Self.columns,
          advice.map { advice in
            [advice.rule, advice.store, advice.subject, advice.reason, advice.fix]
              .map { .text($0) }
          }, output)
      }
      if !advice.isEmpty, !problems.contains(where: \.isFailure) { throw ExitCode(1) }
      return problems
    }
  }

  private static func paragraph(_ advice: Advice) -> String {
    """
    \(advice.rule): \(ValueText.safe(advice.store)): \(ValueText.safe(advice.subject))
      \(ValueText.safe(advice.reason))
      \(ValueText.safe(advice.fix))

    """
  }
}
