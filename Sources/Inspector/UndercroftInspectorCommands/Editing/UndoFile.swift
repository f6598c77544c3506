import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A file with the old values of changed names, which the command `import` restores.
struct UndoFile {
  let path: String
  /// Whether the file was created, which happens with the first values.
  private(set) var exists = false
  /// The size of the file in bytes, with the lines that were appended.
  private var byteCount = 0
  /// The names of the values in the file that look like secrets.
  private var secretNames: [String] = []
  private let redactor = Redactor()
  /// The size in bytes above which a value is not examined.
  private static let largestExamined = 1 << 20
  /// The number of secrets that are named.
  private static let maximumNames = 5

  /// Determines the path of a new file in the state directory of the user, and creates the folder.
  ///
  /// - Parameter command: the name of the command, which is a part of the name of the file.
  /// - Throws: ``StorageError/Code/insecurePermissions`` if other users have access to the folder,
  ///   and the errors of creating it.
  init(command: String) throws(StorageError) {
    let folder = try Self.folder()
    try Folder.create(folder)
    var status = stat()
    guard stat(folder, &status) == 0 else { throw .system("read the attributes of", folder) }
    guard status.st_mode & 0o077 == 0 else {
      throw StorageError(
        .insecurePermissions,
        "cannot save the old values in \(quoted(folder)): other users have access to the folder",
        suggestion: "run \(quoted("chmod go-rwx \(ShellText.shown(folder))"))")
    }
    let time = Date.now.formatted(.iso8601).replacing(":", with: "")
    let number = String(UInt32.random(in: .min ... .max), radix: 16)
    path = "\(folder)/\(time)-\(command)-\(number)\(Self.suffix)"
  }

  /// The end of the names of all files.
  static let suffix = ".ndjson"

  /// The path of the folder of the files, or `nil` if the user has no state directory.
  static var folderPath: String? { UserDirectory.state.toolFolder.map { $0 + "/undo" } }

  private static func folder() throws(StorageError) -> String {
    guard let folder = folderPath else {
      throw StorageError(
        .unavailable,
        """
        cannot save the old values: neither XDG_STATE_HOME nor HOME is the path of a directory
        """,
        suggestion: "set XDG_STATE_HOME, or pass --no-undo")
    }
    return folder
  }

  /// Appends lines to the file, and flushes them to the disk.
  ///
  /// If this fails, such as on a full disk, the file contains only the earlier lines, because
  /// `import` refuses a file with an incomplete line.
  mutating func append(_ lines: [EntryLine]) throws(StorageError) {
    let creation = exists ? 0 : O_CREAT | O_EXCL
    let file = try Descriptor(
      opening: path, O_WRONLY | O_APPEND | O_NOFOLLOW | creation, mode: 0o600)
    do throws(StorageError) {
      for line in lines { try file.write(Data((line.json + "\n").utf8)) }
      try file.synchronize()
      try Folder.synchronize(Folder.parent(of: path))
      byteCount = Int(try file.status().st_size)
    } catch {
      if exists { try? file.truncate(to: byteCount) } else { unlink(path) }
      throw error
    }
    exists = true
    for line in lines {
      guard let bytes = line.bytes, bytes.count <= Self.largestExamined,
        redactor.redacts(name: line.name, value: bytes)
      else { continue }
      secretNames.append(line.name)
    }
  }

  /// Removes the lines that were appended after `earlier` was copied from this value, and the file
  /// if it had no lines before.
  ///
  /// Errors are ignored, because restoring a value that was not changed changes nothing.
  mutating func revert(to earlier: UndoFile) {
    if earlier.exists { truncate(path, off_t(earlier.byteCount)) } else { unlink(path) }
    self = earlier
  }

  /// The lines of output that report secrets in the file, or none if it contains no secrets.
  var secretLines: [String] {
    guard !secretNames.isEmpty else { return [] }
    let names = secretNames.prefix(Self.maximumNames).map { quoted($0) }.joined(separator: ", ")
    let rest = secretNames.count - Self.maximumNames
    let subject = rest > 0 ? "\(names) and \(rest) more" : names
    return [
      """
      the undo file contains values that look like secrets as plain text, which --no-undo would \
      not have saved: \(subject)
      """,
      "to remove the undo file: rm -- \(ShellText.shown(path))",
    ]
  }
}
