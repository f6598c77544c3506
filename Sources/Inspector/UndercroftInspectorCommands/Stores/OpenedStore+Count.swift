import UndercroftCore
import UndercroftInspection

extension OpenedStore {
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
