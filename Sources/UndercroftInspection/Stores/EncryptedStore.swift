import UndercroftCore
import UndercroftFoundation

/// A store whose names and values the application encrypts before it stores them, so that only its
/// report can be shown.
struct EncryptedStore: Inspectable {
  /// The suggestion of each error about encrypted names and values.
  static let suggestion = "read the store in the application that has the encryption key"

  let path: String

  func inspect() throws(StorageError) -> InspectionReport { throw error }
  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] { throw error }
  func bytes(of entry: String) throws(StorageError) -> Data? { throw error }

  private var error: StorageError {
    StorageError(
      .locked,
      """
      cannot read \(quoted(path)): the application encrypts the names and values of the entries \
      before it stores them
      """,
      suggestion: Self.suggestion)
  }
}
