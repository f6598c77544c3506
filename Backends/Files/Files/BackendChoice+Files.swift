public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension BackendChoice {
  /// Stores each value in a file of its own.
  ///
  /// - Parameter adoptingExistingFiles: whether files become values that are in a folder without a store; without it such
  ///   a folder is refused.
  public static func files(
    in directory: URL, lockTimeout: Duration = .seconds(5), adoptingExistingFiles: Bool = false
  ) -> BackendChoice {
    BackendChoice("files", FileBackend.capabilities, at: directory) { () throws(StorageError) in
      try FileBackend(
        in: directory, lockTimeout: lockTimeout, adoptingExistingFiles: adoptingExistingFiles)
    }
  }

  /// Stores each value in an XML property list of its own, which people and other programs can read and edit.
  ///
  /// - Parameter adoptingExistingFiles: whether files become values that are in a folder without a store; without it such
  ///   a folder is refused.
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

  /// Keeps all values in one compressed file, replaced as a whole by every write: for archives.
  ///
  /// - Parameter maximumSize: the most bytes that all names and values may have together; a file that claims more is refused.
  public static func singleFile(
    at url: URL, maximumSize: Int = 1 << 30, lockTimeout: Duration = .seconds(5)
  ) -> BackendChoice {
    BackendChoice("singleFile", SingleFileBackend.capabilities, at: url) {
      () throws(StorageError) in
      try SingleFileBackend(at: url, maximumSize: maximumSize, lockTimeout: lockTimeout)
    }
  }
}
