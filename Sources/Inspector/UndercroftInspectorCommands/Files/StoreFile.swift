import Foundation
import UndercroftFileSystem
import UndercroftInspection

/// A file of a store, with the attributes that an inspection reports.
struct StoreFile: Equatable {
  let path: String
  private let state: FileState

  /// Reads the attributes of a file without opening it; returns `nil` if there is no such file.
  init?(_ path: String) {
    guard let state = FileState(following: path) else { return nil }
    self.path = path
    self.state = state
  }

  var byteCount: Int { state.byteCount }

  var modified: Date {
    Date(
      timeIntervalSince1970: Double(state.modified.tv_sec) + Double(state.modified.tv_nsec) / 1e9)
  }

  /// The permission bits, such as `0o600`.
  var mode: mode_t { state.mode }

  var owner: uid_t { state.owner }

  var isRegular: Bool { state.kind == .file }

  var identity: FileIdentity { state.identity }

  /// Whether users other than the owner can read or write the file.
  var isSharedWithOthers: Bool { mode & 0o077 != 0 }

  /// Whether users other than the owner can write to the file, or replace files in the folder.
  ///
  /// In a folder with the sticky bit, other users can only replace their own files.
  var isWritableByOthers: Bool { mode & 0o022 != 0 && (isRegular || mode & 0o1000 == 0) }

  /// The permission bits in octal, such as "0600".
  var modeText: String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension StoreFile {
  /// The maximum number of files of a folder that are examined or shown one by one.
  static let maximumCount = 10_000

  /// Returns the files of the store at `url`.
  ///
  /// If `url` is a folder, the result contains the files in the folder and in its subfolders, at
  /// most `limit` of them. If `url` is a file, the result contains the file, and the files beside
  /// it whose names consist of its name and a suffix, such as `-wal`, if the folder can be listed.
  ///
  /// - Parameters:
  ///   - url: the location of the store.
  ///   - listings: the listings in which the files beside the store are found.
  ///   - limit: the maximum number of files in a folder.
  static func all(
    at url: URL, listedBy listings: FolderListings, limit: Int = maximumCount
  ) -> [StoreFile] {
    let path = url.path(percentEncoded: false)
    guard let item = StoreFile(path) else { return [] }
    guard item.state.kind != .folder else {
      return names(in: path).prefix(limit).sorted().compactMap { StoreFile(path + "/" + $0) }
    }
    let (folder, name) = (Folder.parent(of: path), Folder.name(of: path))
    let beside = companionSeparators.flatMap {
      listings.names(in: folder, withPrefix: name + $0)
    }
    return [item]
      + beside.compactMap { other in
        let suffix = String(decoding: other.utf8.dropFirst(name.utf8.count), as: UTF8.self)
        return StoreFile(path + suffix)
      }
  }

  /// The characters that begin the suffixes of the names of files beside a store, in the order of
  /// their bytes.
  private static let companionSeparators = ["-", "."]

  /// Returns the total size in bytes of all files of a store, or `nil` if it has none.
  static func byteCount(of store: DiscoveredStore) -> Int? {
    let path = store.path
    let suffixes = [""] + store.copying.suffixes + store.copying.omittedSuffixes
    let parts = suffixes.compactMap { StoreFile(path + $0) }
    guard !parts.isEmpty else { return nil }
    return parts.reduce(0) { $0.addingReportingOverflow($1.contentByteCount).partialValue }
  }

  /// The size of a regular file, or the total size of the regular files in a folder.
  private var contentByteCount: Int {
    guard Self.isFolder(path) else { return isRegular ? byteCount : 0 }
    var total = 0
    for name in Self.names(in: path) {
      guard let file = StoreFile(path + "/" + name), file.isRegular else { continue }
      total = total.addingReportingOverflow(file.byteCount).partialValue
    }
    return total
  }

  private static func isFolder(_ path: String) -> Bool {
    FileState(following: path)?.kind == .folder
  }

  /// The names of the items in a folder and in its subfolders, which are listed one by one.
  private static func names(in folder: String) -> some Sequence<String> {
    sequence(state: FileManager.default.enumerator(atPath: folder)) {
      $0?.nextObject() as? String
    }
  }
}
