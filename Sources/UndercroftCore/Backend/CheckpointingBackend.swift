/// A backend whose main file may lack recent writes until a checkpoint.
package protocol CheckpointingBackend: StorageBackend {
  /// Writes all values into the main file of the store, so that the file alone is a complete store.
  func checkpoint() throws(StorageError)
}
