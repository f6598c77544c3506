package import UndercroftCore
import UndercroftFoundation

extension DiscoveredStore {
  /// Opens the store for writing, and creates the store if it is missing.
  ///
  /// - Parameter timeout: how long to wait for another process that writes; zero means not to wait.
  /// - Throws: ``StorageError/Code/notSupported`` if the inspector has no factory for the backend,
  ///   or if the factory opens stores only for reading; ``StorageError/Code/locked`` if a layer of
  ///   the application encrypts the entries; ``StorageError/Code/busy`` if another process writes
  ///   for too long; and any error that opening the backend throws.
  package func edit(waiting timeout: Duration = .zero) throws(StorageError) -> EditedStore {
    let editing = try requireEditing()
    let backend = try editing(url, credentials, timeout)
    return EditedStore(backend: backend, prefix: prefix)
  }

  /// Returns the closure that opens the store for writing.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` or ``StorageError/Code/locked`` if the store
  ///   cannot be edited.
  @discardableResult
  package func requireEditing() throws(StorageError) -> StoreInspectorFactory.Editing {
    if isEncrypted {
      throw StorageError(
        .locked,
        """
        cannot edit \(quoted(path)): the application encrypts the names and values of the entries \
        before it stores them
        """,
        suggestion: "change the values in the application that has the encryption key")
    }
    guard let factory else { throw unsupportedBackend(for: "edit") }
    guard let editing = factory.editing else {
      throw StorageError(
        .notSupported,
        """
        cannot edit \(quoted(path)): this tool opens stores of the backend \(quoted(scheme)) only \
        for reading
        """,
        suggestion: "change the values in the application that owns the store")
    }
    return editing
  }

  /// Checks that `name`, without the prefix of the kind, can be the name of a value in the store.
  ///
  /// - Throws: ``StorageError/Code/invalidKey`` if the name is empty, is too long, contains NUL, or
  ///   is not in Unicode normalisation form C, in which applications store all names.
  package func check(name: String) throws(StorageError) {
    let normal = try Name.checked(name, after: prefix)
    guard !normal.isExactly(prefix + name) else { return }
    throw StorageError(
      .invalidKey,
      """
      cannot use \(quoted(name)) as the name of a value: the name is not in Unicode normalisation \
      form C
      """,
      suggestion: "use \(quoted(normal)), the form in which applications store the name")
  }
}
