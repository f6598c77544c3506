import Foundation
import UndercroftCore
import UndercroftInspection

/// A store whose changes are reported while an application writes to it.
struct WatchedStore {
  let store: DiscoveredStore
  private var digests: ContentDigests
  /// The files of the store, whose attributes show that a file was written.
  private var files: [StoreFile]

  /// Reads the present content of the store, or returns `nil` if the store is confidential.
  init?(_ store: DiscoveredStore, _ excerpt: ValueExcerpt) throws {
    self.store = store
    files = StoreFile.all(at: store.url, limit: .max)
    let opened = try Self.open(store)
    guard !(opened?.isConfidential ?? store.isConfidential) else { return nil }
    digests = try ContentDigests(of: opened, excerpt)
  }

  /// Passes the changes since the last call to `body`, sorted by table and key.
  ///
  /// If the files of the store were not written, the store is not read. If other processes change
  /// the store during each attempt to read it, the changes are reported by a later call.
  mutating func forEachChange(
    _ excerpt: ValueExcerpt, _ body: (Difference) throws -> Void
  ) throws {
    let present = StoreFile.all(at: store.url, limit: .max)
    guard present != files else { return }
    let kind = store.name
    var found: [Difference] = []
    do {
      let opened = try Self.open(store)
      // The application may have created a confidential store meanwhile.
      guard opened?.isConfidential != true else { return }
      let next = try ContentDigests(of: opened, after: digests, excerpt) {
        place, change, text in
        found.append(
          Difference(
            change: change, kind: kind, table: place.table?.text, key: place.key.text, new: text))
      }
      found += next.removed(since: digests).map { place in
        Difference(change: .removed, kind: kind, table: place.table?.text, key: place.key.text)
      }
      (digests, files) = (next, present)
    } catch let error as StorageError {
      // The application may also have removed the store since its existence was examined.
      guard error.code == .busy || error.code == .unavailable else { throw error }
      return
    }
    for difference in found { try body(difference) }
  }

  private static func open(_ store: DiscoveredStore) throws -> OpenedStore? {
    store.exists ? try store.open() : nil
  }
}
