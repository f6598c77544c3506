import ArgumentParser

/// A command that shows the synchronisation of the databases at a path.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Shows the synchronisation of the databases at a path.",
    discussion: """
      The databases of devices and of servers are read in place, also while an application \
      synchronises them. Nothing is sent. A database is not shown if the application has switched \
      off its synchronisation, which removes the tables of synchronisation.
      """,
    subcommands: [
      SyncStatusCommand.self, SyncQueueCommand.self, SyncConflictsCommand.self,
      SyncExplainCommand.self, SyncDigestCommand.self,
    ])
}
