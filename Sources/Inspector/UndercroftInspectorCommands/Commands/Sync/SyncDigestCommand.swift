import ArgumentParser
import UndercroftInspection

/// A command that shows the digests of the synchronised scopes.
struct SyncDigestCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "digest",
    abstract: "Shows a digest of the rows of each scope, to compare two devices or a server.",
    discussion: """
      Two databases with the same version and the same digest have pulled the same versions of the \
      same rows. A device that is receiving rows has no digest; repeat the command later.
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
        try sync.digests(url).map { digest -> [ResultValue] in
          synced.kinds.row(
            store.kind,
            [
              .text(digest.scope), .text(digest.role.rawValue),
              digest.version.map { .integer($0) } ?? .absent,
              digest.rowCount.map { .integer($0) } ?? .absent, ResultValue(digest.digits),
            ])
        }
      }
      try Output.rows(
        synced.kinds.columns(["scope", "role", "version", "rows", "digest"]),
        results.flatMap(\.self), output)
      return problems
    }
  }
}
