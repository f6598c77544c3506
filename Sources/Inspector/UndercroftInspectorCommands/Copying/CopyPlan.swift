import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// The stores and other files of a home that are copied one by one.
struct CopyPlan {
  /// A store of the home.
  struct Unit {
    /// The kinds of data in the store.
    var kinds: [String]
    let backend: String
    /// The path of the store relative to the home.
    let path: ExactString
    let store: StoreCopy
  }

  /// The path of the home.
  let home: String
  /// The stores in the home, in which one inside of the folder of another one precedes it.
  private(set) var units: [Unit] = []
  /// The stores that the manifest lists, but that are outside of the home.
  private(set) var outside: [DiscoveredStore] = []
  /// The paths of the stores, and of the files beside them, relative to the home.
  private(set) var claimed: Set<ExactString> = []

  /// Finds the stores of the home at `home`.
  ///
  /// A database that the manifest does not list is also found.
  ///
  /// - Parameter factories: the inspector factories that recognise databases.
  init(
    home: String, stores: [DiscoveredStore], factories: [StoreInspectorFactory]
  ) throws(StorageError) {
    self.home = home
    for store in stores {
      guard let path = Self.path(of: store, in: home) else {
        outside.append(store)
        continue
      }
      if let index = units.firstIndex(where: { $0.path == path }) {
        units[index].kinds += store.kind.map { [$0] } ?? []
      } else if store.exists {
        try add(path, store.kind.map { [$0] } ?? [], store.scheme, store.copying)
      }
    }
    let reader = factories.lazy.compactMap(\.reader).first
    let databases = factories.filter { $0.copying.copy != nil }
    for item in try others() where item.state.kind == .file {
      let url = URL(filePath: FileTree.path(of: item.path, in: home))
      let candidate = StoreCandidate(at: url, readingBy: reader)
      // A database that is not recognised would be copied without its log.
      if let error = candidate.readError { throw error }
      if let factory = databases.first(where: { $0.recognises(candidate) }) {
        try add(item.path, [], factory.scheme, factory.copying)
      }
    }
    units.sort { $1.path < $0.path }
  }

  private mutating func add(
    _ path: ExactString, _ kinds: [String], _ backend: String, _ copying: StoreCopying
  ) throws(StorageError) {
    let store = try StoreCopy(FileTree.path(of: path, in: home), copying)
    units.append(Unit(kinds: kinds, backend: backend, path: path, store: store))
    for suffix in [""] + copying.suffixes + copying.omittedSuffixes {
      claimed.insert(ExactString(path.text + suffix))
    }
  }

  /// Returns the files and folders of the home that are not part of a store.
  func others() throws(StorageError) -> [FileTree.Item] {
    try FileTree(root: home, excluded: claimed).items()
  }

  /// Returns the paths that are copied separately, relative to the folder of a store.
  func exclusions(of unit: Unit) -> Set<ExactString> {
    let start = unit.path.text + "/"
    return Set(
      claimed.lazy.map(\.text).filter { $0.utf8.starts(with: start.utf8) }
        .map { ExactString(String(decoding: $0.utf8.dropFirst(start.utf8.count), as: UTF8.self)) })
  }

  /// Returns the path of a store relative to the home, or `nil` if the store is not inside of it.
  private static func path(of store: DiscoveredStore, in home: String) -> ExactString? {
    let start = home + "/"
    var path = store.path
    while path.utf8.last == UInt8(ascii: "/") { path.unicodeScalars.removeLast() }
    guard path.utf8.starts(with: start.utf8) else { return nil }
    let relative = String(decoding: path.utf8.dropFirst(start.utf8.count), as: UTF8.self)
    let names = relative.split(separator: "/", omittingEmptySubsequences: false)
    // A path such as "../other" would lead out of the copy.
    return names.contains { ["", ".", ".."].contains($0) } ? nil : ExactString(relative)
  }
}
