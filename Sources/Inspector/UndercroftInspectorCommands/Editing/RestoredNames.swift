import UndercroftCore

/// The names whose old values were restored from undo files.
struct RestoredNames {
  /// An undo file and the home or store in which its values were restored.
  private struct Restoration: Hashable {
    let id: ExactString
    let path: ExactString
  }

  /// The name of a value and the kind of its store.
  private struct Name: Hashable {
    let kind: ExactString?
    let name: ExactString

    init(_ entry: EntryLine) {
      kind = entry.kind.map { ExactString($0) }
      name = ExactString(entry.name)
    }
  }

  private var names: [Restoration: Set<Name>] = [:]

  /// Adds the names in a file that the command `undo` wrote; other files add nothing.
  mutating func add(_ file: SavedUndo) {
    guard let id = file.header?.restored, let path = file.resolvedPath else { return }
    let restoration = Restoration(id: ExactString(id), path: ExactString(path))
    names[restoration, default: []].formUnion(file.entries.map { Name($0) })
  }

  /// Returns whether all values of a file were restored where they were changed.
  ///
  /// An undo that fails can have restored the values of some stores.
  func contains(_ file: SavedUndo) -> Bool {
    guard let path = file.resolvedPath else { return false }
    let id = UndoFile.id(of: file.file.path)
    let restoration = Restoration(id: ExactString(id), path: ExactString(path))
    return names[restoration]?.isSuperset(of: file.entries.map { Name($0) }) ?? false
  }
}
