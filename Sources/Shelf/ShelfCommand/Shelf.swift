import ArgumentParser

/// A program that stores a catalogue of the software on this computer, as an example of the
/// toolkit.
@main struct Shelf: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shelf",
    abstract: "Maintains a catalogue of the software on this computer.",
    discussion:
      "Exit status: 0 done, 1 nothing found, 64 wrong usage, 65 damaged input, 66 no input, 74 a store cannot be read or "
      + "written or a server cannot be used, 75 another process is at work or the vault's key is missing, 130 interrupted.",
    subcommands: [
      ImportCommand.self, SearchCommand.self, HistoryCommand.self, ShowCommand.self,
      NoteCommand.self, NeedsCommand.self, MigrateCommand.self, ConnectCommand.self,
      SyncCommand.self, ConflictsCommand.self, ExplainCommand.self,
    ],
    defaultSubcommand: ImportCommand.self)
}
