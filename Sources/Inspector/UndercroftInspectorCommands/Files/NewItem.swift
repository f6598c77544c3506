import Foundation
import UndercroftCore
import UndercroftFileSystem

/// A file or folder that a command creates, and that gets its name when it is complete.
///
/// The item is built in a temporary folder beside its future place, so that an interrupted command
/// leaves nothing under the name.
struct NewItem {
  /// The future path.
  let path: String
  private let folder: TemporaryFolder
  private let replacesEmptyFolder: Bool
  /// The path at which the file or folder is built.
  var temporaryPath: String { folder.path + "/" + Folder.name(of: path) }

  /// Prepares the creation of a file or folder.
  ///
  /// - Parameters:
  ///   - path: the path, at which nothing may exist.
  ///   - suffixes: the suffixes of the names of files that would become part of a new store.
  ///   - moved: the suffixes of the names of files that are created with the item.
  ///   - replacesEmptyFolder: whether the item is a folder that replaces an empty one.
  init(
    at path: String, suffixes: [String] = [], moved: [String] = [],
    replacesEmptyFolder: Bool = false
  ) throws {
    self.replacesEmptyFolder = replacesEmptyFolder && Self.isEmptyFolder(path)
    let interrupted = InterruptedItem(at: path, suffixes: moved, companions: suffixes)
    if !self.replacesEmptyFolder {
      try Self.requireAbsence(of: path, suffixes: suffixes, except: interrupted)
    }
    interrupted.remove()
    folder = try TemporaryFolder(in: Folder.parent(of: path))
    self.path = path
  }

  private static func isEmptyFolder(_ path: String) -> Bool {
    FileState(at: path)?.kind == .folder
      && (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true
  }

  /// Throws an error if something exists at a path, or if its folder does not exist.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - suffixes: the suffixes of the names of files beside the path, at which nothing may exist
  ///     either.
  ///   - interrupted: the files of a killed command, which may exist.
  static func requireAbsence(
    of path: String, suffixes: [String] = [], except interrupted: InterruptedItem? = nil
  ) throws {
    let moved = interrupted?.movedSuffixes ?? []
    let others = suffixes.filter { !moved.contains($0) }.map { path + $0 }
    for other in [path] + others where FileState(at: other) != nil { throw exists(path, other) }
    let parent = Folder.parent(of: path)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: parent, isDirectory: &isFolder), isFolder.boolValue
    else {
      throw StorageError(
        .io, "cannot create \(quoted(path)): the folder \(quoted(parent)) does not exist",
        suggestion: "create the folder first, or pass another path")
    }
  }

  /// Returns the number and the total size of the files that were created, as a phrase.
  ///
  /// Call it before ``commit()``.
  func summary() throws(StorageError) -> String {
    let files = try FileTree(root: folder.path).items().filter { $0.state.kind == .file }
    let size = files.reduce(0) { $0 + $1.state.byteCount }
    return "\(files.count) \(files.count == 1 ? "file" : "files"), \(ByteText.readable(size))"
  }

  private static func exists(_ path: String, _ other: String) -> StorageError {
    StorageError(
      .io, "cannot create \(quoted(path)): \(quoted(other)) exists already",
      suggestion: "pass another path")
  }

  /// Moves the file or folder, and the files beside it, to their places.
  ///
  /// The caller has flushed their content, which otherwise could be lost after a power failure.
  /// The files beside it are renamed first, so that a store with a name is complete. If the file or
  /// folder cannot be renamed, the files beside it are moved back.
  ///
  /// - Throws: an error that says that the item is complete if only the folder of the path cannot
  ///   be flushed.
  func commit() throws(StorageError) {
    let name = Folder.name(of: path)
    let from = try Folder.open(folder.path)
    let to = try Folder.open(Folder.parent(of: path))
    let names = try Folder.names(in: from).filter { $0 != name }
    if !names.isEmpty {
      let marker = folder.path + "/" + InterruptedItem.markerName
      _ = FileManager.default.createFile(atPath: marker, contents: nil)
    }
    try TemporaryItems.withoutRemoval { () throws(StorageError) in
      var moved: [String] = []
      do throws(StorageError) {
        for name in names + [name] {
          try move(name, from: from.raw, to: to.raw)
          moved.append(name)
        }
      } catch {
        // The other files could become part of another store at the path.
        for name in moved {
          _ = Platform.renameExclusively(name, in: to.raw, to: name, in: from.raw)
        }
        throw error
      }
    }
    do throws(StorageError) { try to.synchronize() } catch { throw afterCreation(error) }
  }

  /// Returns the error for a folder that cannot be flushed although the item has its name.
  private func afterCreation(_ error: StorageError) -> StorageError {
    let reason = (error.underlying as? SystemError)?.description.lowercased() ?? error.failure
    return StorageError(
      error.code,
      """
      cannot flush the folder \(quoted(Folder.parent(of: path))) (\(reason)): \(quoted(path)) was \
      created and is complete, but a power failure may remove it
      """,
      suggestion: (error.suggestion.map { "\($0), and " } ?? "")
        + "run \"sync\" instead of repeating the command",
      underlying: error.underlying)
  }

  /// Moves one file or folder from the temporary folder to the folder of the path.
  private func move(
    _ name: String, from source: Int32, to destination: Int32
  ) throws(StorageError) {
    let target = Folder.parent(of: path)
    let mode = FileState(at: folder.path + "/" + name)?.mode ?? 0o700
    // Moving a folder changes its entry "..", which needs the permission to write to it.
    if mode & 0o200 == 0 { chmod(folder.path + "/" + name, mode | 0o200) }
    guard renameItem(name, from: source, to: destination) == 0 else {
      let other = target + "/" + name
      let exists = errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR
      throw exists ? Self.exists(path, other) : .system("create", other)
    }
    if mode & 0o200 == 0 { chmod(target + "/" + name, mode) }
  }

  /// Renames a file or folder without replacing anything but an empty folder, whose permissions it
  /// then gets. (`renameat`)
  private func renameItem(_ name: String, from source: Int32, to destination: Int32) -> Int32 {
    guard replacesEmptyFolder, name == Folder.name(of: path) else {
      return Platform.renameExclusively(name, in: source, to: name, in: destination)
    }
    let mode = FileState(at: path)?.mode
    guard renameat(source, name, destination, name) == 0 else { return -1 }
    if let mode { chmod(path, mode & 0o777) }
    return 0
  }
}
