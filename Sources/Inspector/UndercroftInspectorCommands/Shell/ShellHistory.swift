import Foundation
import UndercroftCore
import UndercroftInspection

/// The file with the lines that the user has typed in the shell.
///
/// Only the user can read the file. Lines that may contain a secret, and lines that begin with a
/// blank, are not stored. The shell also works without the file, so errors are at most noted.
struct ShellHistory {
  private static let maximumCount = 1_000
  /// The maximum number of bytes that are read, from the end of the file.
  private static let maximumByteCount = 1 << 20

  /// The path of the file, or `nil` if there is no history.
  private let path: String?
  private let redactor = Redactor()
  /// The stored lines, at most the last 1,000.
  private(set) var lines: [String] = []

  /// Reads the history of the user, which is in the state directory.
  init() {
    let file = UserDirectory.state.toolFolder.map { $0 + "/history" }
    guard let path = file, let state = FileState(at: path) else {
      self.path = file
      return
    }
    guard let handle = Self.openFile(path, O_RDONLY) else {
      self.path = nil
      Output.note(
        "there is no history, because \(quoted(path)) is not a regular file of this user that can "
          + "be read")
      return
    }
    self.path = path
    let start = max(0, state.byteCount - Self.maximumByteCount)
    try? handle.seek(toOffset: UInt64(start))
    var bytes = (try? handle.read(upToCount: Self.maximumByteCount)) ?? Data()
    // The first line is incomplete.
    if start > 0 { bytes = bytes.drop { $0 != UInt8(ascii: "\n") } }
    let stored = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    lines = stored.suffix(Self.maximumCount).filter { ValueText.safe($0) == $0 }
    if start > 0 || stored.count > 2 * Self.maximumCount { shorten(path) }
  }

  /// Opens the file, or returns `nil` if the file cannot be opened, is not a regular file, or is
  /// not a file of the user.
  ///
  /// A FIFO would block the shell. (`O_NONBLOCK`)
  private static func openFile(_ path: String, _ options: Int32) -> FileHandle? {
    let file = open(path, O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | options, 0o600)
    guard file >= 0 else { return nil }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    var status = stat()
    guard fstat(file, &status) == 0 else { return nil }
    let state = FileState(status)
    return state.kind == .file && state.owner == geteuid() ? handle : nil
  }

  /// Appends a line to the file, unless it must not be stored.
  func append(_ line: String) {
    guard let path, isStorable(line) else { return }
    let folder = URL(filePath: path).deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    write([line], to: path, O_APPEND | O_CREAT)
  }

  /// Returns whether a line is not empty and contains no secret as far as its words show.
  func isStorable(_ line: String) -> Bool {
    guard let first = line.first, first != " ", ValueText.safe(line) == line,
      !redactor.redacts(name: nil, value: line)
    else { return false }
    return !ShellWords(line.unicodeScalars).texts.contains { word in
      redactor.redacts(name: word, value: "value") || redactor.redacts(name: nil, value: word)
    }
  }

  /// Replaces the file by the last lines.
  private func shorten(_ path: String) {
    let temporary = path + ".\(getpid())"
    guard write(lines, to: temporary, O_CREAT | O_EXCL) else { return }
    rename(temporary, path)
  }

  /// Writes lines to a file that only the user can read, and returns whether this succeeds.
  @discardableResult private func write(
    _ lines: [String], to path: String, _ options: Int32
  ) -> Bool {
    guard let file = Self.openFile(path, O_WRONLY | options) else { return false }
    // An existing file may have other permissions.
    guard fchmod(file.fileDescriptor, 0o600) == 0 else { return false }
    return (try? file.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))) != nil
  }
}
