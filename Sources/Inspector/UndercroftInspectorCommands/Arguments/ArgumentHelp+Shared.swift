import ArgumentParser

/// The help texts of arguments that several commands have.
extension ArgumentHelp {
  static var path: ArgumentHelp { "The home directory of an application, or a store." }

  static var paths: ArgumentHelp {
    ArgumentHelp("The home directories of applications, or stores.", valueName: "path")
  }

  static var kind: ArgumentHelp { "Only the store of this kind." }

  static var newBackend: ArgumentHelp {
    let backends = InspectorCommand.editableBackends.joined(separator: ", ")
    return backends.isEmpty
      ? "The backend of the new store." : "The backend of the new store: \(backends)."
  }

  static var keyFile: ArgumentHelp { "The file that contains a vault's key." }

  static var reveal: ArgumentHelp { "Show the content of a confidential store." }
}
