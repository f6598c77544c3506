import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a store holds at one moment: the snapshot, and what the journal adds to it.
struct StoredEntries {
  var snapshot: (any Snapshot)?
  /// What the journal says, name by name; `nil` inside stands for a removal.
  private var overlay: [String: Data?] = [:]

  init(_ snapshot: (any Snapshot)?) { self.snapshot = snapshot }

  var isCheckpointed: Bool { overlay.isEmpty }

  mutating func remember(_ change: Change) {
    switch change {
    case .set(let name, let bytes): overlay[name] = .some(bytes)
    case .remove(let name): overlay[name] = .some(nil)
    }
  }

  func read(_ name: String) throws(StorageError) -> Data? {
    if let known = overlay[name] { return known }
    return try snapshot?.read(name)
  }

  /// Returns the names that begin with `prefix`, sorted by their UTF-8 bytes.
  func names(withPrefix prefix: String) throws(StorageError) -> [String] {
    var names = Set(try snapshot?.names(withPrefix: prefix) ?? [])
    for (name, bytes) in overlay where name.utf8.starts(with: prefix.utf8) {
      if bytes == nil { names.remove(name) } else { names.insert(name) }
    }
    // Names are in normal form C, whose order is that of their UTF-8 bytes.
    return names.sorted()
  }

  /// All of it, as a checkpoint writes it.
  func forSnapshot() throws(StorageError) -> SnapshotEntries {
    SnapshotEntries(names: try names(withPrefix: "")) { (name) throws(StorageError) in
      if let bytes = try read(name) { return bytes }
      throw StorageError(
        .corrupted, "cannot find a name in the snapshot that lists it",
        cure: "restore the store from a backup", key: name)
    }
  }
}
