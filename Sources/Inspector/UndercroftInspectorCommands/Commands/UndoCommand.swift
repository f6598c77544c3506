import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that lists the undo files, or restores the old values in one of them.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Lists the saved old values of changes, or restores those of one change.",
    usage: "undercroft undo [<options>] [<path>] [<file>]",
    discussion: """
      The commands set, rm, import and undo save the old values in a file before they change a \
      store. Without a file, the saved files are listed, the newest first; with a path, only those \
      of the home or store at this path. A change is undone if an undo has restored all its old \
      values, and that undo is not undone itself. A file, or its id in the list, needs --write, which \
      restores its values in the store that it names, or in that at the path. The undo is refused \
      with the exit status 1 if a value was changed after the file was written, unless --force is \
      passed. \(EditArguments.undoHelp)
      """)

  @Argument(
    help: "The home directory of an application, a store, or an undo file or its id.",
    completion: .file())
  var path: String?
  @Argument(help: "The undo file or its id, after a path.", completion: .file()) var file: String?
  @Flag(help: "Restore old values also where other values were stored after the undo file.")
  var force = false
  @OptionGroup var arguments: EditArguments
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  /// The path of the file whose values are restored, or `nil` to list the files.
  private var restoredFile: String? {
    if let file { return UndoFile.path(of: file) ?? file }
    guard let path else { return nil }
    if let found = UndoFile.path(of: path) { return found }
    // A command that changes values means a file or an id also if there is none.
    return restores && StoreFile(Target.location(of: path).path(percentEncoded: false)) == nil
      ? path : nil
  }

  /// Whether an option is passed that only the undo of a file has.
  private var restores: Bool { arguments.write || arguments.dryRun || force }

  /// The command that lists the undo files.
  ///
  /// - Parameter path: the path of a home or store whose changes are listed, or `nil` for all.
  private static func listing(at path: String?) -> String {
    "\"undercroft undo\(path.map { " " + ShellText.shown($0) } ?? "")\""
  }

  func validate() throws {
    try ValidationError.requirePath(path)
    try ValidationError.requirePath(file, named: "file")
    try access.requireSingleKey()
    if let restoredFile {
      // A missing file is reported before missing options.
      if StoreFile(restoredFile) != nil { try arguments.require() }
    } else if restores {
      throw ValidationError(
        "The undo of a change needs an undo file or its id. Run \(Self.listing(at: path)) to list "
          + "the ids, and pass one of them.")
    }
  }

  func run() throws {
    guard let restoredFile else {
      return try Output.run(output.format) { try list() }
    }
    // A pager would show the result after the question.
    try Output.run(output.format, isPaged: arguments.dryRun) {
      try restore(restoredFile)
      return []
    }
  }

  private func restore(_ file: String) throws {
    guard StoreFile(file) != nil else {
      throw StorageError(
        .unavailable,
        "cannot restore \(quoted(file)): no undo file has this path or id",
        suggestion: "run \(Self.listing(at: self.file == nil ? nil : path)) to list the ids")
    }
    let content = try FileContent.read(file)
    // The file may have been created after the validation.
    try arguments.require()
    let lines = try EntryLines(content, from: file)
    let target = Target(
      path: try self.file == nil ? Self.changedPath(of: lines) : path ?? "", access: access)
    let edits = try ImportPlan(stores: try target.stores(), kind: nil, overwrites: force)
      .edits(of: lines)
    try EditRun(
      command: "undo", target: target, arguments: arguments, restored: UndoFile.id(of: file)
    ).run(edits)
  }

  /// Returns the path of the home or store to which an undo file belongs.
  private static func changedPath(of lines: EntryLines) throws(StorageError) -> String {
    let file = ShellText.shown(lines.path)
    guard let path = lines.header?.path else {
      throw StorageError(
        .notSupported,
        "cannot restore \(quoted(lines.path)): the file does not say to which store it belongs",
        suggestion: "run \"undercroft undo PATH \(file)\" with the path of the home or store")
    }
    guard StoreFile(path) != nil else {
      throw StorageError(
        .unavailable,
        "cannot restore \(quoted(lines.path)): nothing exists at the changed path \(quoted(path))",
        suggestion: """
          if the home or store was moved, run "undercroft undo PATH \(file)" with its new path
          """)
    }
    return path
  }

  /// Lists the undo files, or those of the home or store at ``path``.
  private func list() throws -> [Problem] {
    let location = path.map { Target.location(of: $0) }
    var problems: [Problem] = []
    var unnamedCount = 0
    var restored = RestoredNames()
    var writer = ResultWriter(SavedUndo.columns, output)
    for file in UndoFile.all {
      let saved: SavedUndo
      do {
        saved = try SavedUndo(file)
      } catch {
        problems.append(Problem(error: error))
        continue
      }
      let isUndone = restored.contains(saved)
      // The undo of a file is newer than the file.
      if !isUndone { restored.add(saved) }
      if let location, !saved.belongs(to: location) {
        if saved.header == nil { unnamedCount += 1 }
        continue
      }
      let row = saved.row(isUndone: isUndone, isForPeople: output.format.isForPeople)
      guard try writer.write(row) else { break }
    }
    if !writer.hasRows, let path, let location, StoreFile(location.path) == nil {
      // The error of finding the stores suggests a similar name.
      _ = try Target(path: path, access: access).stores()
    }
    try writer.end()
    if !writer.hasRows, problems.isEmpty {
      let place = path.map { " of changes at \(quoted($0))" } ?? ""
      Output.note("no old values\(place) are saved")
    }
    if unnamedCount > 0 {
      Output.note(
        """
        \(EnglishText.counted(unnamedCount, "file")) of earlier versions may also belong to this \
        path; to list all files, omit the path
        """)
    }
    return problems
  }
}
