import Foundation

/// A file of a store, with the attributes that an inspection reports.
struct StoreFile: Equatable {
  let path: String
  let byteCount: Int
  let modified: Date
  /// The permission bits, such as `0o600`.
  let mode: UInt16
  let owner: UInt32
  let isRegular: Bool
  let identity: FileIdentity

  /// Reads the attributes of a file without opening it; returns `nil` if there is no such file.
  /// (`stat`)
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.path = path
    byteCount = Int(status.st_size)
    modified = Date(
      timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
    mode = UInt16(status.st_mode & 0o7777)
    owner = status.st_uid
    isRegular = status.st_mode & S_IFMT == S_IFREG
    identity = FileIdentity(status)
  }

  /// Returns the files of the store at `url`.
  ///
  /// If `url` is a folder, the result contains the files in the folder and in its subfolders, at
  /// most `limit` of them. If `url` is a file, the result contains the file, and the files beside
  /// it whose names consist of its name and a suffix, such as `-wal`.
  static func all(at url: URL, limit: Int = 10_000) -> [StoreFile] {
    let path = url.path(percentEncoded: false)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
    if isFolder.boolValue {
      guard let names = FileManager.default.enumerator(atPath: path) else { return [] }
      return names.lazy.compactMap { $0 as? String }.prefix(limit).sorted()
        .compactMap { StoreFile(path + "/" + $0) }
    }
    let (folder, name) = (url.deletingLastPathComponent(), url.lastPathComponent)
    let beside = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return beside.filter { $0 == name || $0.hasPrefix(name + "-") || $0.hasPrefix(name + ".") }
      .sorted().compactMap { StoreFile(folder.appending(path: $0).path(percentEncoded: false)) }
  }

  /// Whether users other than the owner can read or write the file.
  var isSharedWithOthers: Bool { mode & 0o077 != 0 }

  /// The permission bits in octal, such as "0600".
  var modeText: String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// The device and the number by which the system identifies a file.
struct FileIdentity: Hashable {
  let major: UInt32
  let minor: UInt32
  let number: UInt64

  init(major: UInt32, minor: UInt32, number: UInt64) {
    (self.major, self.minor, self.number) = (major, minor, number)
  }

  fileprivate init(_ status: stat) {
    let device = UInt64(status.st_dev)
    // The layout of a device number in Linux (`gnu_dev_major`, `gnu_dev_minor`).
    major = UInt32(truncatingIfNeeded: (device >> 8) & 0xfff | (device >> 32) & 0xffff_f000)
    minor = UInt32(truncatingIfNeeded: device & 0xff | (device >> 12) & 0xffff_ff00)
    number = UInt64(status.st_ino)
  }
}

extension StoreFile {
  /// Returns the locks that processes hold on the file.
  func locks(among locks: [FileLock]) -> [FileLock] { locks.filter { $0.file == identity } }
}
