public import UndercroftCore
public import UndercroftFoundation

extension BackendChoice {
  /// Returns the choice of a backend that stores each value in a separate file of a folder.
  ///
  /// - Parameters:
  ///   - directory: the folder of the store, which is created if it is missing.
  ///   - lockTimeout: how long to wait for the lock of another process.
  ///   - adoptingExistingFiles: whether to accept a folder that contains files but no store. If
  ///     `true`, these files become values. If `false`, opening such a folder throws
  ///     ``StorageError/Code/misuse``.
  public static func files(
    in directory: URL, lockTimeout: Duration = .seconds(5), adoptingExistingFiles: Bool = false
  ) -> BackendChoice {
    BackendChoice("files", FileBackend.capabilities, at: directory) { () throws(StorageError) in
      try FileBackend(
        in: directory, lockTimeout: lockTimeout, adoptingExistingFiles: adoptingExistingFiles)
    }
  }

  /// Returns the choice of a backend that stores each value in a separate
  /// XML property list, which people and other programs can read and edit.
  ///
  /// - Parameters:
  ///   - directory: the folder of the store, which is created if it is missing.
  ///   - lockTimeout: how long to wait for the lock of another process.
  ///   - adoptingExistingFiles: whether to accept a folder that contains files but no store. If
  ///     `true`, these files become values. If `false`, opening such a folder throws
  ///     ``StorageError/Code/misuse``.
  public static func propertyLists(
    in directory: URL, lockTimeout: Duration = .seconds(5), adoptingExistingFiles: Bool = false
  ) -> BackendChoice {
    BackendChoice(
      "propertyLists", FileBackend.capabilities, at: directory, codec: .propertyList
    ) { () throws(StorageError) in
      try FileBackend(
        "propertyLists", in: directory, suffix: ".plist", lockTimeout: lockTimeout,
        adoptingExistingFiles: adoptingExistingFiles)
    }
  }

  /// Returns the choice of a backend that stores all values in
  /// one compressed file, which every write replaces as a whole.
  ///
  /// Use this backend for archives.
  ///
  /// - Parameters:
  ///   - url: the location of the file.
  ///   - maximumSize: the maximum total size of all names and values,
  ///     in bytes. A file that declares a larger size is rejected.
  ///   - lockTimeout: how long to wait for the lock of another process.
  public static func singleFile(
    at url: URL, maximumSize: Int = 1 << 30, lockTimeout: Duration = .seconds(5)
  ) -> BackendChoice {
    BackendChoice("singleFile", SingleFileBackend.capabilities, at: url) {
      () throws(StorageError) in
      try SingleFileBackend(at: url, maximumSize: maximumSize, lockTimeout: lockTimeout)
    }
  }
}
