import Crypto
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file that holds a key and nothing else.
enum KeyFile {
  static let size = 32

  /// Makes a new one of random bytes unless there is one. (`O_EXCL`, mode 0600)
  static func createIfMissing(_ path: String) throws(StorageError) {
    if access(path, F_OK) == 0 { return }
    try Folder.create(Folder.parent(of: path))
    let file: Descriptor
    do throws(StorageError) {
      file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    } catch {
      // Another process was first.
      if access(path, F_OK) == 0 { return }
      throw error
    }
    try file.write(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) })
    try file.synchronize()
    try Folder.synchronize(Folder.parent(of: path))
  }

  static func read(_ path: String) throws(StorageError) -> Data {
    guard access(path, F_OK) == 0 else {
      throw StorageError(
        .locked, "cannot open the vault: there is no key file \(quoted(path))",
        cure: "put the key file back, or open the vault with another of its keys")
    }
    let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
    try PrivateFile.check(file)
    let bytes = try file.readAll(limit: 1 << 16)
    guard bytes.count == size else {
      throw StorageError(
        .wrongKey,
        "cannot use the key file \(quoted(path)): it has \(bytes.count) bytes, not \(size)",
        cure: "put the key file back that was made with the vault")
    }
    return bytes
  }
}

/// Checks that nobody else can read or write a file.
enum PrivateFile {
  static func check(_ file: borrowing Descriptor) throws(StorageError) {
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(.io, "cannot read \(quoted(file.path)): it is no regular file")
    }
    let mode = String(status.st_mode & 0o777, radix: 8)
    guard status.st_mode & 0o077 == 0 else {
      throw StorageError(
        .insecurePermissions,
        "cannot trust \(quoted(file.path)): others may read or write it (mode \(mode))",
        cure: "chmod 600 it, and change its secrets if others had access")
    }
    guard status.st_uid == geteuid() || geteuid() == 0 else {
      throw StorageError(
        .insecurePermissions, "cannot trust \(quoted(file.path)): it belongs to another user",
        cure: "chown it to the user who runs this program")
    }
  }
}
