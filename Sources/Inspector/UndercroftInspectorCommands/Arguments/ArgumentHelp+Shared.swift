import ArgumentParser

/// The help texts of arguments that several commands have.
extension ArgumentHelp {
  static var path: ArgumentHelp { "The home directory of an application, or a store." }

  static var paths: ArgumentHelp {
    ArgumentHelp("The home directories of applications, or stores.", valueName: "path")
  }

  static var kind: ArgumentHelp { "Only the store of this kind." }

  static var kinds: ArgumentHelp { "Only the stores of this kind; can be repeated." }

  static var newBackend: ArgumentHelp {
    let lines = InspectorCommand.editableBackends.map { backend in
      "\(backend): \(backends[backend] ?? "a backend of another library")."
    }
    return ArgumentHelp(
      "The backend of the new store.",
      discussion: lines.isEmpty ? nil : lines.joined(separator: "\n"))
  }

  /// The descriptions of backends for the choice of one.
  private static let backends = [
    "files": "a folder with a file for each value",
    "propertyLists": "a folder with a file for each property list",
    "singleFile": "one compressed file, which is rarely written",
    "settings": "a file and a journal, for small values",
    "gdbm": "a file for small values, which other programs read",
    "sqlite": "a table of a database, for many values",
    "vault": "one encrypted file, which needs a key",
  ]

  static var keyFile: ArgumentHelp { "The file that contains a vault's key." }

  static var reveal: ArgumentHelp { "Show the content of a confidential store." }
}
