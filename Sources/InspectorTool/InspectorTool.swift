import ArgumentParser

/// A command-line tool that inspects stores and applications without changing them.
@main struct InspectorTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undercroft",
    abstract: "Inspects stores and whole applications without changing them.",
    discussion: """
      PATH is an application's home (the directory with undercroft.json), the folder of a store, or the file of one. Secrets stay \
      hidden unless you ask with --reveal and give their key.

      Exit status: 0 done, 1 different (schema --diff), 64 wrong usage, 65 damaged data, 66 nothing there, 77 not allowed.
      """,
    subcommands: [
      ListCommand.self, KeysCommand.self, GetCommand.self, RowsCommand.self, SchemaCommand.self,
    ])
}
