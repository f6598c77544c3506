import Foundation
import UndercroftCore
import UndercroftInspection

/// The check whether the key file of a vault is in the same home as the vault, so that a copy of
/// the home is sufficient to read the secrets.
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

  func findings() -> [Finding] {
    let vaults = stores.filter { $0.vault != nil && $0.exists }
    guard !vaults.isEmpty else { return [] }
    let storePaths = storePaths
    let keys = files.filter { file in
      file.isRegular && (1...Self.largestKey).contains(file.byteCount)
        && !Self.isPart(relative(file.path), ofStoresAt: storePaths)
    }
    return vaults.flatMap { vault in
      keys.filter { opens($0, vault) }.map { finding($0, vault) }
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

  private func finding(_ file: StoreFile, _ store: DiscoveredStore) -> Finding {
    Finding(
      relative(file.path).isExactly(Self.defaultPath) ? .note : .warning, "key file",
      "a copy of the home contains \(file.path), which opens \(store.path)",
      suggestion: """
        if copies of the home must not reveal the secrets, move the key file to a folder outside \
        of the home, such as in ~/.config, and pass this folder to Storage(home:keys:) in the \
        program
        """)
  }
}
