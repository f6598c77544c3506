import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A copy of a store's files that the writer makes right after an error.
///
/// A new process opens the copy. Calls of the writer fail only for files in the folder of the
/// store, so the copy is made beside this folder.
struct ErrorCopy {
  private let path: String

  init(number: Int, of folder: URL) {
    let store = folder.path(percentEncoded: false)
    path = "\(Folder.parent(of: store))/\(Folder.name(of: store)).error-\(number)"
  }

  /// The folder with the copied files.
  var files: URL { URL(filePath: path, directoryHint: .isDirectory) }

  private var contentsPath: String { path + ".json" }

  /// Returns the contents that the writer read when it made the copy,
  /// or `nil` if the writer stored no contents beside the copy.
  func contents() throws -> [String: Data]? {
    guard access(contentsPath, F_OK) == 0 else { return nil }
    let bytes = try Descriptor(opening: contentsPath, O_RDONLY).readAll()
    return try JSONDecoder().decode([String: Data].self, from: bytes)
  }

  /// The maximum number of attempts to read the same files twice in a row.
  private static let attempts = 20

  /// Copies the files, and returns whether a copy was made.
  ///
  /// Other threads of the writer may change files at the same time. The files are therefore read
  /// until two successive attempts read equal files, which are then copied. If this does not
  /// happen within 20 attempts, no copy is made.
  ///
  /// Connections of SQLite share an index of the write-ahead log in memory (`-shm`), which is not
  /// copied. A process that opens the store while the writer runs uses that index, but a process
  /// that starts after the writer's death cannot use it. The process that opens the copy may
  /// therefore read other contents than the writer. So if the folder contains a `-shm` file,
  /// `contents` is not stored with the copy.
  func make(of folder: URL, readAs contents: [String: Data]?) -> Bool {
    var last: DiskModel?
    for _ in 0..<Self.attempts {
      guard let disk = try? DiskModel(readingFrom: folder.path(percentEncoded: false)) else {
        continue
      }
      if let last, last.differences(from: disk).isEmpty {
        let names = (try? ScratchFolder.paths(in: folder.path(percentEncoded: false))) ?? []
        return write(disk, names.contains(where: DiskModel.isIgnored) ? nil : contents)
      }
      last = disk
    }
    return false
  }

  private func write(_ disk: DiskModel, _ contents: [String: Data]?) -> Bool {
    remove()
    do {
      try disk.write(to: path)
      guard let contents else { return true }
      let bytes = try JSONEncoder().encode(contents)
      try Descriptor(opening: contentsPath, O_WRONLY | O_CREAT | O_TRUNC).write(bytes)
      return true
    } catch {
      remove()
      return false
    }
  }

  func remove() {
    ScratchFolder.remove(path)
    unlink(contentsPath)
  }
}
