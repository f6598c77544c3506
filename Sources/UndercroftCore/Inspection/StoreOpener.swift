#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Opens stores of one format for inspection, by address or by their look on disk.
public struct StoreOpener: Sendable {
  /// The scheme of the addresses it opens, such as "gdbm"; the backend's short name.
  public let scheme: String

  /// Says whether the file or folder looks like a store of this format, by its content and never by its name.
  public let recognises: @Sendable (URL) -> Bool

  /// Opens the store for reading, changing nothing.
  public let open: @Sendable (URL, InspectionCredentials) throws(StorageError) -> any Inspectable

  /// Makes an opener.
  public init(
    scheme: String, recognises: @escaping @Sendable (URL) -> Bool,
    open: @escaping @Sendable (URL, InspectionCredentials) throws(StorageError) -> any Inspectable
  ) {
    self.scheme = scheme
    self.recognises = recognises
    self.open = open
  }
}

/// What a person gave the inspector to open sealed stores with.
public struct InspectionCredentials: Sendable {
  /// A file that holds a key, or `nil`.
  public var keyFile: URL?

  /// Asks for a passphrase, or `nil` when nobody can be asked.
  public var passphrase: (@Sendable () -> String?)?

  /// Makes credentials; by default there are none, and sealed stores show what they can without.
  public init(keyFile: URL? = nil, passphrase: (@Sendable () -> String?)? = nil) {
    self.keyFile = keyFile
    self.passphrase = passphrase
  }
}
