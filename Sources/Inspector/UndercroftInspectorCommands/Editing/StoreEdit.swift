import Foundation
import UndercroftCore
import UndercroftInspection

/// The changes that a command makes to one store.
struct StoreEdit {
  let store: DiscoveredStore
  /// The store as it is before the changes, or `nil` if it does not exist.
  let opened: OpenedStore?
  var changes: [StorageChange] = []
  /// The states that entries must have before the changes, by their names.
  var replaced: [ExactString: EntryState] = [:]

  /// Begins an edit of a store without opening it for writing.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if the store cannot be edited, or if it contains
  ///   tables instead of named values.
  init(of store: DiscoveredStore) throws {
    try store.requireEditing()
    self.store = store
    opened = store.exists ? try store.open() : nil
    guard opened?.report.isTabular != true else {
      throw StorageError(
        .notSupported,
        "cannot edit \(quoted(store.path)): the database contains tables instead of named values",
        suggestion: "change rows with SQL, such as with the program sqlite3")
    }
  }

  /// Whether values must not be shown or saved elsewhere.
  var isConfidential: Bool { opened?.isConfidential ?? store.isConfidential }

  /// Returns the kind of the store and the name of an entry as text for a message.
  func shown(_ name: String) -> String { (store.kind.map { "\($0) " } ?? "") + quoted(name) }

  /// Returns the names of the entries that the changes would overwrite although they have another
  /// state than ``replaced`` requires.
  ///
  /// - Parameter present: the present values in the order of the changes.
  func conflicts(with present: [Data?]) -> [String] {
    zip(changes, present).filter { change, bytes in
      guard let state = replaced[ExactString(change.name)], bytes != change.bytes else {
        return false
      }
      return !state.matches(bytes)
    }.map { $0.0.name }
  }

  /// Returns the name that a user means by `text`: the name of a value in the store, or `nil` if no
  /// value has such a name.
  func existingName(_ text: String) throws -> String? {
    try NameText.interpretations(of: text).first { name in
      guard (try? store.check(name: name)) != nil else { return false }
      return try opened?.bytes(of: name) != nil
    }
  }
}
