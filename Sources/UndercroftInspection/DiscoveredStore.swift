public import UndercroftCore
public import UndercroftFoundation

/// A store that the inspector has found, limited to the entries of one kind of data if a manifest
/// specifies the kind.
public struct DiscoveredStore: Sendable {
  /// The name of the kind of data, or `nil` if no manifest specifies the kind.
  public let kind: String?
  /// The short name of the backend.
  public let scheme: String
  /// The location of the store.
  public let url: URL
  /// The path of ``url``.
  public var path: String { url.path(percentEncoded: false) }
  /// The name of the codec, or `nil` if no manifest specifies it.
  public let codec: String?
  let prefix: String
  /// Whether the manifest requires that values are hidden unless the user asks for them.
  public let isConfidential: Bool
  /// Whether a layer of the application encrypts names and values, so that no tool can show them.
  public let isEncrypted: Bool
  let factory: StoreInspectorFactory?
  /// The credentials with which the store is opened.
  package let credentials: InspectionCredentials
  var access = StoreAccess.direct
  /// The path at which a command has found the store, as the user has passed it, or `nil` if the
  /// user has passed only one path.
  package var target: String?

  init(
    kind: String?, scheme: String, url: URL, codec: String?, prefix: String, isConfidential: Bool,
    isEncrypted: Bool, factory: StoreInspectorFactory?, credentials: InspectionCredentials
  ) {
    self.kind = kind
    self.scheme = scheme
    self.url = url
    self.codec = codec
    self.prefix = prefix
    self.isConfidential = isConfidential
    self.isEncrypted = isEncrypted
    self.factory = factory
    self.credentials = credentials
  }

  /// The functions that show the schema of the store, or `nil` if the store has no schema.
  public var schema: SchemaInspection? { factory?.schema }

  /// The functions that examine and change the store if it is a vault, and otherwise `nil`.
  package var vault: VaultInspection? { factory?.vault }

  /// Whether the tool supports the backend of the store.
  package var isSupported: Bool { factory != nil }

  /// The functions that show the applied migrations of the store, or `nil` if the store has no
  /// migrations.
  package var migrations: MigrationInspection? { factory?.migrations }

  /// The functions that show the synchronisation of the store, or `nil` if the store is not
  /// synchronised.
  package var sync: SyncInspection? { factory?.sync }

  /// The way in which the store is copied.
  package var copying: StoreCopying { factory?.copying ?? StoreCopying() }

  /// The report on a store that is too damaged to be opened, or `nil` if nothing can be read.
  package var headerReport: InspectionReport? { factory?.headerReport?(url) }

  /// Whether the application has created the store; a store is created at its first use.
  ///
  /// The value is also `true` if the system cannot report whether the store exists, such as in a
  /// folder that cannot be searched.
  public var exists: Bool { FileKind(url) != .absent }

  /// Opens the store without changing it.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if the inspector has no factory for the backend,
  ///   ``StorageError/Code/unavailable`` if the store does not exist,
  ///   ``StorageError/Code/accessDenied`` if it is not readable, ``StorageError/Code/corrupted`` if
  ///   it is neither a regular file nor a folder, ``StorageError/Code/io`` for another error of the
  ///   operating system, and any error that the factory throws.
  public func open() throws(StorageError) -> OpenedStore {
    guard let factory else { throw unsupportedBackend(for: "open") }
    try requireReadable()
    let store = try opening(of: factory)(try contentURL(), credentials)
    if isEncrypted { return try OpenedStore(encrypted: store, path: path) }
    let report = try store.briefReport()
    return OpenedStore(
      store: store, report: report, prefix: prefix,
      isConfidential: isConfidential || report.isConfidential)
  }

  private func opening(of factory: StoreInspectorFactory) -> StoreInspectorFactory.Opening {
    if case .locked = access { return factory.openLocked ?? factory.open }
    return factory.open
  }

  /// Returns the error of an operation for which the inspector has no factory of the backend.
  ///
  /// - Parameter verb: the operation, such as "open".
  func unsupportedBackend(for verb: String) -> StorageError {
    StorageError(
      .notSupported,
      """
      cannot \(verb) \(quoted(path)): this tool does not support the backend \(quoted(scheme)) of \
      the store
      """,
      suggestion: "use a tool that supports the backend \(quoted(scheme))")
  }

  /// Throws an error unless a regular file or a folder that can be read is at ``url``.
  private func requireReadable() throws(StorageError) {
    switch FileKind(url) {
    case .absent:
      throw StorageError(
        .unavailable, "cannot open \(quoted(path)): the store does not exist",
        suggestion: """
          check the path; the application creates the store when it uses the store for the first \
          time
          """)
    case .unreadable(let number): throw .system("open", path, number: number)
    case .other:
      throw StorageError(
        .corrupted,
        """
        cannot open \(quoted(path)): the item at this path is neither a regular file nor a folder
        """,
        suggestion: """
          check the path; if the path is correct, remove the item, and restore the store from a \
          backup
          """)
    case .file, .folder: return
    }
  }
}
