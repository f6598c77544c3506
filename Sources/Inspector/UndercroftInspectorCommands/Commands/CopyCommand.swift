import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A command that copies a store or a whole home while an application may write to it.
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cp",
    abstract: "Copies a store, or a home with all its stores, while an application may write.",
    usage: "undercroft cp [<options>] <source> <destination>",
    discussion: """
      Each store is copied as one consistent state; a database and its journal become one file. \
      The source is not changed. The copy of a home contains all files in it, such as the key of \
      a vault; a note on standard error names FIFOs, sockets and devices, which are not copied. A \
      file whose name is not valid UTF-8 is an error. The destination must not exist, and gets \
      its name when it is complete, so that nothing is copied if a database is too damaged to be \
      read; "export" writes what can be read. Values and rows are copied unexamined: other damage \
      is copied as well, with the exit status 0, and "check" finds it in the copy. A note on \
      standard error gives the number and the size of the copied files.
      """)

  @Argument(help: .path, completion: .file())
  var source: String
  @Argument(help: "The path of the new home or store.", completion: .file())
  var destination: String
  @Flag(help: "Show what would be copied, and copy nothing.") var dryRun = false
  @OptionGroup var output: RowArguments
  @OptionGroup var terminal: TerminalArguments

  /// The number of items that are not copied, and that a note names.
  private static let maximumNamedCount = 5

  func validate() throws {
    try ValidationError.requirePath(source, named: "source")
    try ValidationError.requirePath(destination, named: "destination")
  }

  func run() throws {
    try Output.run(output.format) {
      let location = Target.location(of: source)
      let stores = try Inspector(InspectorCommand.factories).stores(at: location)
      var home = location.path(percentEncoded: false)
      while home.utf8.count > 1, home.utf8.last == UInt8(ascii: "/") {
        home.unicodeScalars.removeLast()
      }
      try requireOutside(of: home)
      if let store = stores.first, store.kind == nil {
        try copy(store)
      } else {
        try copy(
          CopyPlan(home: home, stores: stores, factories: InspectorCommand.factories))
      }
      return []
    }
  }

  private func copy(_ store: DiscoveredStore) throws {
    let suffixes = store.copying.suffixes + store.copying.omittedSuffixes
    let copy = try StoreCopy(store.path, store.copying)
    try noteSpecialFiles(in: copy.source)
    if dryRun {
      try requireAbsence(suffixes: suffixes, moved: store.copying.suffixes)
      return try list([row([], store.scheme, source, copy)])
    }
    let item = try NewItem(
      at: destination, suffixes: suffixes, moved: store.copying.suffixes)
    let progress = Progress("copying")
    defer { progress.end() }
    progress.begin(store.name)
    try suggestingExport { () throws(StorageError) in try copy.run(to: item.temporaryPath) }
    try commit(item, storeCount: 1, progress)
  }

  private func copy(_ plan: CopyPlan) throws {
    for store in plan.outside {
      Output.note(
        """
        the store of the kind \(quoted(store.kind ?? "")) is outside of the home, and is not \
        copied: \(quoted(store.path))
        """)
    }
    try noteSpecialFiles(in: plan.home)
    if dryRun {
      try requireAbsence()
      let files = try plan.others().filter { [.file, .link].contains($0.state.kind) }
      let others = files.map { item in
        [.absent, .absent, .integer(Int64(item.state.byteCount)), .text(item.path.text)]
          as [ResultValue]
      }
      return try list(
        plan.units.reversed().map { unit in
          try row(unit.kinds, unit.backend, unit.path.text, unit.store)
        } + others)
    }
    let item = try NewItem(at: destination)
    let progress = Progress("copying", stores: plan.units.count + 1)
    defer { progress.end() }
    let others = "copy the other stores one by one with their paths, or "
    try suggestingExport(or: others) { () throws(StorageError) in
      try HomeCopy(plan: plan, progress: progress).run(to: item.temporaryPath)
    }
    try commit(item, storeCount: plan.units.count, progress)
  }

  /// Writes a note about the FIFOs, sockets and devices in a store or home, which are not copied.
  private func noteSpecialFiles(in source: String) throws {
    let paths = try FileTree(root: source).items().filter { $0.state.kind == .other }.map(\.path)
    guard !paths.isEmpty else { return }
    let names = paths.prefix(Self.maximumNamedCount).map { quoted($0.text) }
    let isComplete = names.count == paths.count
    Output.note(
      """
      \(EnglishText.counted(paths.count, "item")) of the source \(paths.count == 1 ? "is" : "are") \
      not copied, because only files, folders and symbolic links can be copied: \
      \(names.joined(separator: ", "))\(isComplete ? "" : " and others")
      """)
  }

  /// Runs `body`, and replaces the suggestion of an error about damage, because a copy is complete
  /// or absent, but an export has everything that can be read.
  ///
  /// - Parameter others: the beginning of the suggestion.
  private func suggestingExport(
    or others: String = "", _ body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    do throws(StorageError) {
      try body()
    } catch {
      guard error.code == .corrupted else { throw error }
      throw StorageError(
        .corrupted, "cannot copy \(quoted(source)): \(error.failure)",
        suggestion: """
          nothing was copied; \(others)run "undercroft export" with --output-directory to write \
          what can be read; otherwise, restore the store from a backup
          """,
        backend: error.backend, underlying: error)
    }
  }

  /// Gives the copy its name, and writes a note about it.
  private func commit(_ item: NewItem, storeCount: Int, _ progress: Progress) throws {
    let summary = try item.summary()
    try item.commit()
    progress.end()
    let stores = storeCount == 1 ? "1 store" : "\(storeCount) stores"
    Output.note("copied \(stores): \(summary)")
  }

  private func row(
    _ kinds: [String], _ backend: String, _ path: String, _ store: StoreCopy
  ) throws -> [ResultValue] {
    let suffixes = [""] + store.copying.suffixes + store.copying.omittedSuffixes
    let sizes = try suffixes.flatMap { suffix in
      try FileTree(root: store.source + suffix).items().filter { $0.state.kind == .file }
        .map(\.state.byteCount)
    }
    return [
      kinds.isEmpty ? .absent : .text(kinds.joined(separator: ", ")), .text(backend),
      ResultValue(sizes.reduce(0, +)), .text(path),
    ]
  }

  private func list(_ rows: [[ResultValue]]) throws {
    try Output.rows(["kind", "backend", "bytes", "path"], rows, output)
  }

  /// Throws an error if a copy could not be created at the destination, and writes a note if the
  /// files of an interrupted copy would be removed first.
  private func requireAbsence(suffixes: [String] = [], moved: [String] = []) throws {
    let interrupted = InterruptedItem(
      at: destination, suffixes: moved, companions: suffixes)
    try NewItem.requireAbsence(of: destination, suffixes: suffixes, except: interrupted)
    guard !interrupted.paths.isEmpty else { return }
    let paths = interrupted.paths.map { quoted($0) }.joined(separator: ", ")
    Output.note("the copy would first remove what an interrupted command has left: \(paths)")
  }

  /// Throws an error if the destination is in the folder of the source, which would be changed.
  private func requireOutside(of source: String) throws {
    guard let source = realpath(source, nil),
      let parent = realpath(Folder.parent(of: destination), nil)
    else { return }
    defer {
      free(source)
      free(parent)
    }
    let (outer, inner) = (String(cString: source), String(cString: parent) + "/")
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: outer, isDirectory: &isFolder), isFolder.boolValue,
      inner.utf8.starts(with: (outer + "/").utf8)
    else { return }
    throw ValidationError(
      "The destination is in the folder that is copied. Pass a path outside of the source.")
  }
}
