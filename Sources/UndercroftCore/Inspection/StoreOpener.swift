#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Opens stores of one format for inspection, by address or by their look on disk.
public struct StoreOpener: Sendable {
  /// The scheme of the addresses it opens, such as "gdbm"; the backend's short name.
  public let scheme: String

  /// Reads the first bytes of a file for all openers of an inspector, if this opener has a way that is safe for databases.
  public let reader: StoreCandidate.Reader?

  private let examine: @Sendable (StoreCandidate) -> Bool

  /// Opens the store for reading, changing nothing.
  public let open: @Sendable (URL, InspectionCredentials) throws(StorageError) -> any Inspectable

  /// Creates an opener.
  ///
  /// - Parameter recognises: returns whether a candidate is a store of this format, by its first bytes or by what its folder
  ///   contains, and never by its name. It must not open a candidate that is a file.
  public init(
    scheme: String, reader: StoreCandidate.Reader? = nil,
    recognises: @escaping @Sendable (StoreCandidate) -> Bool,
    open: @escaping @Sendable (URL, InspectionCredentials) throws(StorageError) -> any Inspectable
  ) {
    self.scheme = scheme
    self.reader = reader
    self.examine = recognises
    self.open = open
  }

  /// Returns whether a candidate is a store of this format.
  public func recognises(_ candidate: StoreCandidate) -> Bool { examine(candidate) }

  /// Returns whether a store of this format is at `url`.
  public func recognises(_ url: URL) -> Bool {
    examine(StoreCandidate(at: url, readingBy: reader))
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
