import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that shows the progress of the synchronised scopes.
struct SyncStatusCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Shows the scopes, the device and the progress of synchronisation.",
    discussion: """
      Numbers of changes: captured (not sent), sent (without result), acknowledged (effect not \
      pulled), staged (pulled, not applied), blocked (violate a constraint), conflicts (open), \
      parked (can never be sent, of the last 1,000 events). The cursors are versions of the scope; \
      lag is the number of versions that the database does not contain yet.
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @OptionGroup var further: FurtherArguments
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func run() throws {
    try Output.run(output.format) {
      let synced = try SyncedStores(of: target, kinds: selectedKinds)
      let (results, problems) = try synced.gather { store, sync, url in
        try sync.status(url).map { (store.kind, $0) }
      }
      let scopes = results.flatMap(\.self).map { kind, scope in
        [
          ("kind", ResultValue(kind)), ("scope", .text(scope.name)),
          ("role", .text(scope.role.rawValue)),
        ] + scope.facts.map(Self.shown)
      }
      switch output.format {
      case .auto, .table:
        let options = output.options()
        let blocks = scopes.map { RowBlock.text($0.map(\.0), $0.map(\.1), options) }
        try Output.bytes(Data(blocks.joined(separator: "\n").utf8))
      default:
        let columns = scopes.joined().map { ExactString($0.0) }
          .reduce(into: [ExactString]()) { if !$0.contains($1) { $0.append($1) } }
        let rows = scopes.map { scope in
          columns.map { column in
            scope.first { ExactString($0.0) == column }?.1 ?? .absent
          }
        }
        try Output.rows(columns.map(\.text), rows, output)
      }
      if scopes.isEmpty, !results.isEmpty {
        Output.note("the database is prepared for synchronisation, but has no scope")
      }
      return problems
    }
  }

  /// Returns a property, of which a time in milliseconds is shown as text.
  private static func shown(_ fact: InspectedSyncScope.Fact) -> (String, ResultValue) {
    guard fact.isTime, case .integer(let milliseconds) = fact.value else {
      return (fact.name, fact.value)
    }
    return (fact.name, SyncEntryEncoder.time(milliseconds))
  }
}
