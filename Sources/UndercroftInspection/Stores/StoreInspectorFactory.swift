public import UndercroftCore
public import UndercroftFoundation

/// A factory that recognises stores of one format by their content and opens them for inspection.
public struct StoreInspectorFactory: Sendable {
  /// The scheme of the addresses that this factory handles, which is the short name of the backend,
  /// such as "gdbm".
  public let scheme: String

  /// The closure that reads the first bytes of a file in a way that is safe for open databases.
  ///
  /// The property is `nil` if this factory provides no such closure. An inspector uses one reader
  /// for all its factories.
  public let reader: StoreCandidate.Reader?

  /// The functions that show the schema of a database, or `nil` if the stores have no schema.
  public private(set) var schema: SchemaInspection?

  /// The functions that examine and change vaults, or `nil` if the stores are not vaults.
  public private(set) var vault: VaultInspection?

  /// The library that reads the stores, and its version, such as "SQLite 3.40.1", or `nil` if the
  /// backend needs none.
  public private(set) var library: String?

  /// The functions that show the applied migrations of a database, or `nil` if the stores have no
  /// migrations.
  public private(set) var migrations: MigrationInspection?

  /// The functions that show the log of a store, or `nil` if the stores have no log.
  public private(set) var log: LogInspection?

  /// The functions that show the synchronisation of a database, or `nil` if the stores are not
  /// synchronised.
  public private(set) var sync: SyncInspection?

  /// A closure that opens a store for writing, and creates the store if it is missing.
  ///
  /// The duration is the time for which the closure, and later each write of the backend, waits for
  /// another process that writes. Zero means not to wait. If the time has passed, the closure
  /// throws ``StorageError/Code/busy``. Errors of the backend with the code
  /// ``StorageError/Code/locked`` are reported as `busy` as well.
  public typealias Editing =
    @Sendable (
      _ store: URL, _ credentials: InspectionCredentials, _ timeout: Duration
    ) throws(StorageError) -> any StorageBackend

  /// The closure that opens a store for writing, or `nil` if tools can only read the stores.
  public private(set) var editing: Editing?

  /// A closure that passes the decompressed bytes of gzip data to `body` in parts, until `body`
  /// returns `false`.
  ///
  /// The closure passes the bytes before damage, and returns whether the data is complete. It needs
  /// a fixed amount of memory, however large the decompressed data is, and throws the errors of
  /// `body`.
  public typealias Decompression =
    @Sendable (_ gzip: Data, _ body: (_ part: Data) throws -> Bool) throws -> DecompressionEnd

  /// The closure that decompresses gzip data, or `nil` if the backend links no library for this.
  ///
  /// A tool uses one such closure for the values of all stores.
  public private(set) var decompression: Decompression?

  /// The way in which the stores are copied.
  public private(set) var copying = StoreCopying()

  /// The closure that opens a store for reading with a shared lock, which is held until the store
  /// is released, or `nil` if the backend has no such locks.
  public private(set) var openLocked: Opening?

  /// The closure that returns what the header of a damaged store states, or `nil` if the stores
  /// have no header that can be read alone.
  package private(set) var headerReport: (@Sendable (URL) -> InspectionReport?)?

  private let recognition: @Sendable (StoreCandidate) throws(StorageError) -> Bool

  /// A closure that opens the store at a location.
  public typealias Opening =
    @Sendable (URL, InspectionCredentials) throws(StorageError) -> any Inspectable

  /// The closure that opens a store for reading without changing it.
  public let open: Opening

  /// Creates a factory.
  ///
  /// - Parameters:
  ///   - scheme: the scheme of the addresses that the factory handles.
  ///   - reader: reads the first bytes of a file in a way that is safe for open databases.
  ///   - recognises: returns whether a candidate is a store of this format, and throws the error of
  ///     the operating system if the content of a folder cannot be read. The closure tests the
  ///     first bytes of a file or the content of a folder, never the name. The closure must not
  ///     open a candidate that is a file.
  ///   - open: opens a store for reading without changing it.
  public init(
    scheme: String, reader: StoreCandidate.Reader? = nil,
    recognises: @escaping @Sendable (StoreCandidate) throws(StorageError) -> Bool,
    open: @escaping Opening
  ) {
    self.scheme = scheme
    self.reader = reader
    self.recognition = recognises
    self.open = open
  }

  /// Returns the same factory with functions that show the schema of its stores.
  public func with(schema: SchemaInspection) -> StoreInspectorFactory {
    var factory = self
    factory.schema = schema
    return factory
  }

  /// Returns the same factory with functions that examine and change vaults.
  public func with(vault: VaultInspection) -> StoreInspectorFactory {
    var factory = self
    factory.vault = vault
    return factory
  }

  /// Returns the same factory with the name and version of the library that reads the stores.
  public func with(library: String) -> StoreInspectorFactory {
    var factory = self
    factory.library = library
    return factory
  }

  /// Returns the same factory with functions that show the applied migrations of its stores.
  public func with(migrations: MigrationInspection) -> StoreInspectorFactory {
    var factory = self
    factory.migrations = migrations
    return factory
  }

  /// Returns the same factory with functions that show the logs of its stores.
  public func with(log: LogInspection) -> StoreInspectorFactory {
    var factory = self
    factory.log = log
    return factory
  }

  /// Returns the same factory with functions that show the synchronisation of its stores.
  public func with(sync: SyncInspection) -> StoreInspectorFactory {
    var factory = self
    factory.sync = sync
    return factory
  }

  /// Returns the same factory with a closure that opens its stores for writing.
  public func with(editing: @escaping Editing) -> StoreInspectorFactory {
    var factory = self
    factory.editing = editing
    return factory
  }

  /// Returns the same factory with a closure that decompresses gzip data.
  public func with(decompression: @escaping Decompression) -> StoreInspectorFactory {
    var factory = self
    factory.decompression = decompression
    return factory
  }

  /// Returns the same factory with another way to copy its stores.
  public func with(copying: StoreCopying) -> StoreInspectorFactory {
    var factory = self
    factory.copying = copying
    return factory
  }

  /// Returns the same factory with a closure that opens a store for reading with a shared lock.
  public func with(locking: @escaping Opening) -> StoreInspectorFactory {
    var factory = self
    factory.openLocked = locking
    return factory
  }

  /// Returns the same factory with a closure that returns what a damaged store's header states.
  package func with(
    headerReport: @escaping @Sendable (URL) -> InspectionReport?
  ) -> StoreInspectorFactory {
    var factory = self
    factory.headerReport = headerReport
    return factory
  }

  /// Returns whether `candidate` is a store of this format.
  ///
  /// The result is `false` if the candidate cannot be read.
  public func recognises(_ candidate: StoreCandidate) -> Bool {
    (try? examine(candidate)) ?? false
  }

  /// Returns whether a store of this format is at `url`.
  ///
  /// The result is `false` if the file or folder cannot be read.
  public func recognises(_ url: URL) -> Bool {
    recognises(StoreCandidate(at: url, readingBy: reader))
  }

  /// Returns whether `candidate` is a store of this format.
  ///
  /// - Throws: the error of the operating system if the candidate cannot be read.
  package func examine(_ candidate: StoreCandidate) throws(StorageError) -> Bool {
    if let error = candidate.readError { throw error }
    return try recognition(candidate)
  }
}
