import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A file with the old values of changed names, which the commands `undo` and `import` restore.
struct UndoFile {
  let path: String
  private let header: UndoHeader
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
  /// - Parameters:
  ///   - command: the name of the command, which is a part of the name of the file.
  ///   - changed: the absolute path of the home or store that the command changes.
  ///   - restored: the id of the undo file whose values the command restores, or `nil`.
  /// - Throws: ``StorageError/Code/insecurePermissions`` if other users have access to the folder,
  ///   and the errors of creating it.
  init(command: String, changed: String, restored: String?) throws(StorageError) {
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
    let time = Date.now.formatted(.iso8601)
    let id = String(UInt32.random(in: .min ... .max), radix: 16)
    let name = "\(time.replacing(":", with: ""))-\(command)-\(id)\(Self.suffix)"
    path = "\(folder)/\(name)"
    header = UndoHeader(command: command, path: changed, time: time, restored: restored)
  }

  /// The end of the names of all files.
  static let suffix = ".ndjson"

  /// The path of the folder of the files, or `nil` if the user has no state directory.
  static var folderPath: String? { UserDirectory.state.toolFolder.map { $0 + "/undo" } }

  /// The files in the folder, the newest first.
  static var all: [StoreFile] {
    guard let folderPath else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folderPath)) ?? []
    return names.filter { $0.hasSuffix(suffix) }
      .compactMap { StoreFile(folderPath + "/" + $0) }
      .filter(\.isRegular)
      .sorted { ($0.modified, $0.path) > ($1.modified, $1.path) }
  }

  /// Returns the id of a file, which is the last part of its name.
  static func id(of path: String) -> String {
    let name = Folder.name(of: path)
    let stem = name.hasSuffix(suffix) ? name.dropLast(suffix.count) : name[...]
    return String(stem.split(separator: "-").last ?? stem)
  }

  /// Returns the path of the undo file that a user means by the path or the id of a file, or `nil`
  /// if it is neither.
  static func path(of text: String) -> String? {
    guard let file = StoreFile(Target.location(of: text).path(percentEncoded: false)) else {
      return all.first { id(of: $0.path).isExactly(text) }?.path
    }
    guard file.isRegular else { return nil }
    // The files of earlier versions have no header.
    let isListed = all.contains { $0.identity == file.identity }
    return isListed || UndoHeader(ofFile: file.path) != nil ? file.path : nil
  }

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
      if !exists { try file.write(Data((header.json + "\n").utf8)) }
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
