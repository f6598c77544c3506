import Foundation
import UndercroftInspection

/// The file with the lines that the user has typed in the shell.
///
/// Only the user can read the file. Lines that may contain a secret, and lines that begin with a
/// blank, are not stored. Errors of the file are ignored, because the shell works without it.
struct ShellHistory {
  private static let maximumCount = 1_000

  /// The path of the file, or `nil` if the user has no state directory.
  private let path: String?
  private let redactor = Redactor()
  /// The stored lines, at most the last 1,000.
  private(set) var lines: [String] = []

  /// Reads the history of the user, which is in the state directory.
  init() {
    path = UserDirectory.state.toolFolder.map { $0 + "/history" }
    guard let path, let bytes = FileManager.default.contents(atPath: path) else { return }
    let stored = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    lines = stored.suffix(Self.maximumCount).filter { ValueText.safe($0) == $0 }
    if stored.count > 2 * Self.maximumCount { shorten(path) }
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
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | options, 0o600)
    guard file >= 0 else { return false }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    // An existing file may have other permissions.
    guard fchmod(file, 0o600) == 0 else { return false }
    return (try? handle.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))) != nil
  }
}
