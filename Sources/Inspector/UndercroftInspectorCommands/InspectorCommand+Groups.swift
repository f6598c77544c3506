import ArgumentParser

extension InspectorCommand {
  /// The subcommands, in the groups and the order in which the help shows them.
  static var groups: [CommandGroup] {
    [
      CommandGroup(
        name: "Overview",
        subcommands: [
          ListCommand.self, InfoCommand.self, StatisticsCommand.self, TopCommand.self,
          SizeCommand.self, CheckCommand.self, AdviseCommand.self, DoctorCommand.self,
        ]),
      CommandGroup(
        name: "Values And Rows",
        subcommands: [
          KeysCommand.self, GetCommand.self, TreeCommand.self, FindCommand.self, RowsCommand.self,
          QueryCommand.self, DiffCommand.self, WatchCommand.self, LogCommand.self,
        ]),
      CommandGroup(
        name: "Database",
        subcommands: [
          SchemaCommand.self, DiagramCommand.self, MigrationsCommand.self, SyncCommand.self,
        ]),
      CommandGroup(
        name: "Copy And Change",
        subcommands: [
          CopyCommand.self, ExportCommand.self, ImportCommand.self, ConvertCommand.self,
          SetCommand.self, RemoveCommand.self, UndoCommand.self, VaultCommand.self,
        ]),
      CommandGroup(
        name: "Tool",
        subcommands: [ShellCommand.self, CompletionCommand.self, ManualCommand.self]),
    ]
  }
}
