import ArgumentParser

/// A command that shows the synchronisation of the databases at a path.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Shows the synchronisation of the databases at a path.",
    discussion: """
      The databases of devices and of servers are read in place, also while an application \
      synchronises them. Nothing is sent. A database that the application has switched off from \
      synchronisation has no tables of synchronisation, and is not shown.
      """,
    subcommands: [
      SyncStatusCommand.self, SyncQueueCommand.self, SyncConflictsCommand.self,
      SyncExplainCommand.self, SyncDigestCommand.self,
    ])
}
