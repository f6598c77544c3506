import Foundation
import UndercroftCore
import UndercroftInspection

/// The check of one store: its existence, its owner and its permissions.
struct StoreCheck {
  let store: DiscoveredStore
  /// The user to whom the files should belong.
  let owner: UInt32
  /// The files of the store.
  let files: [StoreFile]

  func findings() -> [Finding] {
    guard store.isSupported else {
      return [
        Finding(
          .warning, subject, "this tool does not support the backend \(store.scheme)",
          suggestion: "use a tool that is built with this backend")
      ]
    }
    guard store.exists else {
      return [
        Finding(.ok, subject, "not created yet; the application creates it at the first use")
      ]
    }
    if let unreadable { return [unreadable] }
    let found = [folder, foreign, writable, readable].compactMap(\.self)
    return found.isEmpty ? [Finding(.ok, subject, "\(store.scheme) at \(store.path)")] : found
  }

  private var subject: String { store.name }

  /// The problem that the system denies reading the store, or `nil` if it can be read.
  private var unreadable: Finding? {
    let isFolder = StoreFile(store.path)?.isRegular == false
    guard access(store.path, isFolder ? R_OK | X_OK : R_OK) != 0 else { return nil }
    let number = errno
    return Finding(
      .problem, subject,
      "cannot read \(store.path): \(String(cString: strerror(number)).lowercased())",
      suggestion: number == EACCES
        ? AccessRepair.command(for: store.path)
        : StorageError.system("read", store.path, number: number).suggestion
          ?? "check the file system that contains the store, and the system log")
  }

  private var isConfidential: Bool {
    store.isConfidential || store.isEncrypted || store.vault != nil
  }

  private var folder: Finding? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: store.path, isDirectory: &isFolder) else {
      return nil
    }
    let path =
      isFolder.boolValue
      ? store.path : store.url.deletingLastPathComponent().path(percentEncoded: false)
    guard let folder = StoreFile(path), folder.isWritableByOthers else { return nil }
    return Finding(
      .problem, subject, "other users can replace files in \(path) (mode \(folder.modeText))",
      suggestion: "chmod go-w \(ShellText.shown(path))")
  }

  private var foreign: Finding? {
    let others = files.filter { $0.owner != owner }
    guard let file = others.first else { return nil }
    return Finding(
      .warning, subject,
      "\(EnglishText.counted(others.count, "file")) of other users, such as \(file.path) "
        + "(user \(UserName.text(of: file.owner)))",
      suggestion: "chown \(owner) \(ShellText.shown(file.path))")
  }

  private var writable: Finding? {
    let shared = files.filter { $0.isWritableByOthers && Reachability.includesOthers($0.path) }
    guard let file = shared.first else { return nil }
    return Finding(
      .problem, subject, "other users can write to \(Self.example(file, of: shared))",
      suggestion: "chmod -R go-w \(ShellText.shown(store.path))")
  }

  private var readable: Finding? {
    // A vault that others may read is refused even if they cannot reach its folder.
    let shared = files.filter {
      $0.isSharedWithOthers && $0.isRegular
        && (isConfidential || Reachability.includesOthers($0.path))
    }
    guard let file = shared.first else { return nil }
    return Finding(
      isConfidential ? .problem : .note, subject,
      "other users can read \(Self.example(file, of: shared))",
      suggestion: shared.count == 1
        ? "chmod go-rwx \(ShellText.shown(file.path))"
        : "chmod -R go-rwx \(ShellText.shown(store.path))")
  }

  private static func example(_ file: StoreFile, of files: [StoreFile]) -> String {
    "\(EnglishText.counted(files.count, "file")), such as \(file.path) (mode \(file.modeText))"
  }
}
