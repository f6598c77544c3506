import Foundation

/// A separate folder for one input, in memory if `/dev/shm` is writable.
struct Workplace: ~Copyable {
  let folder: URL

  init() throws {
    let shared = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let isShared = FileManager.default.isWritableFile(atPath: shared.path)
    folder = (isShared ? shared : FileManager.default.temporaryDirectory)
      .appending(path: "undercroft-fuzz-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func file(_ name: String) -> URL { folder.appending(path: name, directoryHint: .notDirectory) }

  /// Writes a file that only its owner can read, as stores of secrets require.
  func write(_ bytes: Data, to name: String) throws {
    try bytes.write(to: file(name))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: file(name).path)
  }
}
