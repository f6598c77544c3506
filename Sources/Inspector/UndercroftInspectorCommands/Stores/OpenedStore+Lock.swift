import UndercroftCore
import UndercroftInspection

extension OpenedStore {
  /// Returns the error of reading the names and values, or `nil` if no missing key prevents it.
  ///
  /// The key is missing if the user has not passed that of a vault, or if only the application has
  /// it.
  func lockError() throws(StorageError) -> StorageError? {
    guard isConfidential else { return nil }
    do throws(StorageError) {
      _ = try entryCount()
      return nil
    } catch {
      guard error.code == .locked else { throw error }
      return error
    }
  }

  /// Returns the number of named values, or `nil` if counting them requires a key.
  func visibleEntryCount() throws(StorageError) -> Int? {
    do throws(StorageError) {
      return try entryCount()
    } catch {
      guard isConfidential, error.code == .locked else { throw error }
      return nil
    }
  }
}

extension StorageError {
  /// The word for a store with this ``OpenedStore/lockError()`` in results for people.
  var lockWord: String { underlying is MissingCredentials ? "locked" : "encrypted" }
}
