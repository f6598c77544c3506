import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A store whose changes are reported while an application writes to it.
struct WatchedStore {
  /// An event that an examination of the store has found.
  enum Event {
    case change(Difference)
    /// The store cannot be read. The event is not repeated until the store was read again.
    case failure(StorageError)
    /// The store was read again after a failure.
    case recovery
  }

  /// The failure of the last attempt to read the store.
  private enum Failure {
    /// The next examination may succeed, because the store may have been in the middle of a change.
    case unconfirmed
    case reported(StorageError)
  }

  let store: DiscoveredStore
  /// The content that was read last, or `nil` if the store has not been read yet.
  private var content: ContentDigests?
  /// The files before the last attempt to read the store whose result is known.
  private var files: WatchedFiles
  private var failure: Failure?

  /// Reads the present content of a store, or returns `nil` if the store is confidential.
  ///
  /// If the store cannot be read, ``problem`` is the reason.
  init?(
    _ store: DiscoveredStore, _ excerpt: ValueExcerpt, listedBy listings: FolderListings
  ) throws {
    guard !store.isConfidential, !store.isEncrypted else { return nil }
    self.store = store
    files = WatchedFiles(of: store, listedBy: listings)
    do {
      let opened = try Self.open(store)
      guard opened?.isConfidential != true else { return nil }
      content = try ContentDigests(of: opened, excerpt)
    } catch let error as StorageError {
      failure = .reported(error)
    }
  }

  /// The failure to read the store that was reported and still exists, or `nil` if there is none.
  var problem: Problem? {
    guard case .reported(let error) = failure else { return nil }
    return Problem(store: store, error: error)
  }

  /// Reads the store if its files have changed since the last examination, and returns the events.
  ///
  /// If other processes change the store during each attempt to read it, a later call returns the
  /// changes. Any other failure is returned if two examinations in succession fail. The store is
  /// then read after the next change of its files, and compared with the content that was read
  /// last.
  ///
  /// - Parameter listings: new listings, which all stores of one round of examinations share.
  mutating func examine(
    _ excerpt: ValueExcerpt, listedBy listings: FolderListings
  ) throws -> [Event] {
    let present = WatchedFiles(of: store, listedBy: listings)
    guard present != files else {
      if case .unconfirmed = failure { failure = nil }
      return []
    }
    do {
      let opened = try Self.open(store)
      // The application may have created a confidential store meanwhile.
      let isShown = opened?.isConfidential != true
      let differences = try isShown ? read(opened, excerpt) : []
      var events: [Event] = problem != nil ? [.recovery] : []
      events += differences.map { Event.change($0) }
      files = present
      failure = nil
      return events
    } catch let error as StorageError where error.code == .busy {
      return []
    } catch let error as StorageError {
      return fail(error, present)
    }
  }

  /// Records a failure, and returns the event if it is the second one in succession.
  private mutating func fail(_ error: StorageError, _ present: WatchedFiles) -> [Event] {
    guard let earlier = failure else {
      failure = .unconfirmed
      return []
    }
    files = present
    failure = .reported(error)
    if case .reported = earlier { return [] }
    return [.failure(error)]
  }

  /// Reads the content of a store that can be shown, and returns the differences to the content
  /// that was read last.
  private mutating func read(
    _ opened: OpenedStore?, _ excerpt: ValueExcerpt
  ) throws -> [Difference] {
    let kind = store.name
    var found: [Difference] = []
    let next = try ContentDigests(of: opened, after: content, excerpt) { place, change, text in
      found.append(
        Difference(
          change: change, kind: kind, table: place.table?.text, key: place.key.text, new: text))
    }
    if let content {
      found += next.removed(since: content).map { place in
        Difference(change: .removed, kind: kind, table: place.table?.text, key: place.key.text)
      }
    }
    content = next
    return found
  }

  private static func open(_ store: DiscoveredStore) throws(StorageError) -> OpenedStore? {
    store.exists ? try store.open() : nil
  }
}
