import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// An undo file, as the command `undo` lists it.
struct SavedUndo {
  let file: StoreFile
  /// The first line, or `nil` if an earlier version wrote the file.
  let header: UndoHeader?
  let entries: [EntryLine]

  /// The number of values that a result for people names.
  private static let maximumNames = 10

  /// Reads a file.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the file has an invalid line, and the errors
  ///   of reading it.
  init(_ file: StoreFile) throws(StorageError) {
    self.file = file
    let lines = try EntryLines(FileContent.read(file.path), from: file.path)
    header = lines.header
    entries = lines.entries.map(\.entry)
  }

  static let columns = ["id", "time", "command", "undone", "path", "values"]

  /// Returns the row of a result.
  ///
  /// - Parameters:
  ///   - isUndone: whether a newer file restored the values.
  ///   - isForPeople: whether the values are short texts instead of objects.
  func row(isUndone: Bool, isForPeople: Bool) -> [ResultValue] {
    [
      .text(UndoFile.id(of: file.path)),
      .text(header?.time ?? file.modified.formatted(.iso8601)), ResultValue(header?.command),
      .boolean(isUndone), ResultValue(header?.path), .list(isForPeople ? names : objects),
    ]
  }

  private var names: [ResultValue] {
    let rest = entries.count - Self.maximumNames
    return entries.prefix(Self.maximumNames).map { entry in
      .text([entry.kind, entry.name].compactMap(\.self).joined(separator: " "))
    } + (rest > 0 ? [.text("and \(rest) more")] : [])
  }

  private var objects: [ResultValue] {
    entries.map { .object(["kind": ResultValue($0.kind), "name": .text($0.name)]) }
  }

  /// Returns whether the file belongs to the home or store at a location, or to a store in it.
  func belongs(to location: URL) -> Bool {
    guard let header else { return false }
    let (changed, wanted) = (Self.resolved(header.path), Self.resolved(location))
    return changed.isExactly(wanted) || changed.utf8.starts(with: (wanted + "/").utf8)
  }

  /// The absolute path of the home or store without symbolic links, or `nil` if it is unknown.
  var resolvedPath: String? { header.map { Self.resolved($0.path) } }

  private static func resolved(_ path: String) -> String { resolved(URL(filePath: path)) }

  /// Returns the path of a location without symbolic links and a slash at its end.
  private static func resolved(_ location: URL) -> String {
    let path = location.absoluteURL.resolvingSymlinksInPath().path(percentEncoded: false)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
