import Foundation
import UndercroftCore
import UndercroftInspection

/// The check whether the key file of a vault is in the same home as the vault, so that a copy of
/// the home is sufficient to read the secrets.
///
/// The commands `doctor` and `advise` report the result.
///
/// The manifest does not contain the place of the key. So each small file of the home that is
/// neither part of a store nor beside it is tried as the key.
struct KeyFileCheck {
  /// The place that `Storage(home:)` chooses if the application passes no other folder.
  private static let defaultPath = "keys/vault.key"
  /// The size in bytes above which a file is no key file.
  private static let largestKey = 4_096

  /// The path of the home.
  let home: String
  let stores: [DiscoveredStore]
  let files: [StoreFile]

  /// A key file in the home that opens a vault.
  struct Key {
    /// The path relative to the home.
    let path: String
    /// The sentence about the file.
    let text: String
  }

  /// The change after which the home does not contain the key file.
  static let suggestion = """
    if copies of the home must not reveal the secrets, move the key file to a folder outside of \
    the home, such as in ~/.config, and pass this folder; in the program: try Storage(home: home, \
    keys: folder)
    """

  func findings() -> [Finding] {
    stores.flatMap { keys(of: $0) }.map { key in
      Finding(
        key.path.isExactly(Self.defaultPath) ? .note : .warning, "key file", key.text,
        suggestion: Self.suggestion)
    }
  }

  /// Returns the key files in the home that open a store, which has none unless it is a vault.
  func keys(of store: DiscoveredStore) -> [Key] {
    guard store.vault != nil, store.exists else { return [] }
    let storePaths = storePaths
    return files.filter { file in
      file.isRegular && (1...Self.largestKey).contains(file.byteCount)
        && !Self.isPart(relative(file.path), ofStoresAt: storePaths) && opens(file, store)
    }.map { file in
      let path = relative(file.path)
      return Key(
        path: path,
        text: "a copy of the home contains \(path), which opens \(relative(store.path))")
    }
  }

  /// The paths of the stores and of the files beside them, relative to the home.
  private var storePaths: Set<ExactString> {
    var paths: Set<ExactString> = []
    for store in stores {
      let path = relative(store.path)
      for suffix in [""] + store.copying.suffixes + store.copying.omittedSuffixes {
        paths.insert(ExactString(path + suffix))
      }
    }
    return paths
  }

  /// Returns whether a path or a folder above it is one of `storePaths`.
  ///
  /// Comparing each file with each store would take time that grows with the square of the size of
  /// the home.
  private static func isPart(_ path: String, ofStoresAt storePaths: Set<ExactString>) -> Bool {
    var part = path[...]
    while !storePaths.contains(ExactString(String(part))) {
      guard let slash = part.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
      part = part[..<slash]
    }
    return true
  }

  /// Returns a path in the home relative to the home, and any other path unchanged.
  private func relative(_ path: String) -> String {
    guard path.utf8.starts(with: home.utf8) else { return path }
    let rest = path.utf8.dropFirst(home.utf8.count).drop { $0 == UInt8(ascii: "/") }
    return String(decoding: rest, as: UTF8.self)
  }

  private func opens(_ file: StoreFile, _ store: DiscoveredStore) -> Bool {
    guard let vault = store.vault else { return false }
    let credentials = InspectionCredentials(keyFile: URL(filePath: file.path))
    return (try? vault.summary(store.url, credentials)) != nil
  }
}
