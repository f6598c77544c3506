public import UndercroftCore
public import UndercroftFoundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An inspector that finds the stores at a path.
///
/// The path is the home directory of an application, the folder of a store, or a single file.
public struct Inspector: Sendable {
  private let factories: [StoreInspectorFactory]
  private let credentials: InspectionCredentials
  /// The maximum size of a manifest in bytes.
  private static let largestManifest = 1 << 20
  /// The number of items in a folder that are examined to suggest stores.
  private static let maximumExaminedCount = 1_000
  /// The number of stores in a folder that a suggestion names.
  private static let maximumNamedCount = 5

  /// Creates an inspector.
  ///
  /// - Parameters:
  ///   - factories: the inspector factories of the formats that the inspector supports.
  ///   - credentials: the credentials for encrypted stores.
  public init(_ factories: [StoreInspectorFactory], credentials: InspectionCredentials = .init()) {
    self.factories = factories
    self.credentials = credentials
  }

  /// Returns the stores at `url`: all stores of the manifest in a home directory, or the single
  /// store at that location.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if nothing exists at `url` or no factory
  ///   recognises its format, ``StorageError/Code/accessDenied`` if `url` or its manifest is not
  ///   readable, ``StorageError/Code/io`` for another error of the operating system, and any error
  ///   that decoding the manifest throws.
  public func stores(at url: URL) throws(StorageError) -> [DiscoveredStore] {
    let path = url.path(percentEncoded: false)
    switch FileKind(url) {
    case .absent:
      throw StorageError(
        .unavailable, "cannot open \(quoted(path)): the file or folder does not exist",
        suggestion: "check the path")
    case .unreadable(let number): throw .system("open", path, number: number)
    case .folder:
      if let manifest = try manifest(in: url) { return manifest.routes.map { found($0, in: url) } }
    case .file, .other: break
    }
    let candidate = StoreCandidate(at: url, readingBy: reader)
    guard let factory = try factory(recognising: candidate) else {
      throw unsupported(candidate, path)
    }
    return [
      DiscoveredStore(
        kind: nil, scheme: factory.scheme, url: url, codec: nil, prefix: "", isConfidential: false,
        isEncrypted: false, factory: factory, credentials: credentials)
    ]
  }

  /// Returns the first factory that recognises `candidate`, or `nil` if none does.
  ///
  /// - Throws: the error of the operating system if the candidate cannot be read, because it may
  ///   then be a store.
  private func factory(
    recognising candidate: StoreCandidate
  ) throws(StorageError) -> StoreInspectorFactory? {
    if let error = candidate.readError { throw error }
    for factory in factories {
      if try factory.examine(candidate) { return factory }
    }
    return nil
  }

  /// Returns the format of the file or folder at `url`, or `nil` if the inspector can open it as a
  /// store or does not know the format.
  package func identifiedFormat(at url: URL) -> IdentifiedFormat? {
    let candidate = StoreCandidate(at: url, readingBy: reader)
    guard !factories.contains(where: { $0.recognises(candidate) }) else { return nil }
    return IdentifiedFormat(of: candidate, readingBy: reader)
  }

  /// The reader that all factories share, because this process may have a file open as a database.
  private var reader: StoreCandidate.Reader? { factories.lazy.compactMap(\.reader).first }

  private func unsupported(_ candidate: StoreCandidate, _ path: String) -> StorageError {
    let format = IdentifiedFormat(of: candidate, readingBy: reader)
    let list = """
      pass the path of a folder that contains the manifest \(quoted(StorageManifest.fileName)) of \
      an application, or the path of a store of one of these backends: \
      \(factories.map(\.scheme).joined(separator: ", "))
      """
    guard let format, format != TextFormat.plain else {
      return StorageError(
        .unavailable, "cannot open \(quoted(path)): \(Self.reason(candidate, path))",
        suggestion: suggestion(ofStoresIn: candidate) ?? list)
    }
    return StorageError(
      .unavailable,
      """
      cannot open \(quoted(path)): the format of the item at this path is \(quoted(format.name)), \
      which this tool does not open as a store
      """,
      suggestion: format.suggestion)
  }

  /// Returns the suggestion to pass the path of a store in a folder that is no home directory, such
  /// as the profile of a browser, or `nil` if the folder contains no store.
  private func suggestion(ofStoresIn candidate: StoreCandidate) -> String? {
    guard candidate.isFolder else { return nil }
    let path = candidate.url.path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    var found: [String] = []
    for name in names.sorted().prefix(Self.maximumExaminedCount)
    where found.count <= Self.maximumNamedCount {
      let url = candidate.url.appending(path: name)
      switch FileKind(url) {
      case .file(let size) where size > 0: break
      case .folder: break
      case .absent, .unreadable, .file, .other: continue
      }
      let item = StoreCandidate(at: url, readingBy: reader)
      if factories.contains(where: { $0.recognises(item) }) { found.append(quoted(name)) }
    }
    guard !found.isEmpty else { return nil }
    let isComplete = found.count <= Self.maximumNamedCount
    return "pass the path of a store in the folder\(isComplete ? ":" : ", such as") "
      + found.prefix(Self.maximumNamedCount).joined(separator: ", ")
  }

  /// Returns the reason for which a file or folder is not opened as a store.
  private static func reason(_ candidate: StoreCandidate, _ path: String) -> String {
    guard candidate.isFolder else {
      return "the item at this path is not a store that this tool supports"
    }
    let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    return names?.isEmpty == true
      ? "the folder is empty, and so contains no store"
      : "the folder has no manifest and is not a store that this tool supports"
  }

  private func found(_ route: StorageManifest.Route, in home: URL) -> DiscoveredStore {
    DiscoveredStore(
      kind: route.kind, scheme: route.backend, url: route.url(in: home), codec: route.codec,
      prefix: route.prefix, isConfidential: route.isConfidential,
      isEncrypted: route.isEncrypted ?? false,
      factory: factories.first { $0.scheme == route.backend }, credentials: credentials)
  }

  private func manifest(in home: URL) throws(StorageError) -> StorageManifest? {
    let url = home.appending(path: StorageManifest.fileName)
    let path = url.path(percentEncoded: false)
    switch FileKind(url) {
    case .absent: return nil
    case .unreadable(let number): throw .system("open", path, number: number)
    case .file(let size) where size <= Self.largestManifest:
      return try StorageManifest(decoding: try Self.bytes(of: url, path), from: path)
    case .file(let size):
      throw StorageError(
        .corrupted,
        """
        cannot read \(quoted(path)): the file has \(size) bytes, but the size limit of a manifest \
        is \(Self.largestManifest) bytes
        """,
        suggestion: StorageManifest.removalSuggestion)
    case .folder, .other:
      throw StorageError(
        .corrupted,
        """
        cannot read \(quoted(path)): a manifest is a regular file, but the item at this path is \
        not a regular file
        """,
        suggestion: """
          remove the item, and restart the application that owns the manifest; the application \
          writes a new manifest before it opens a store
          """)
    }
  }

  private static func bytes(of url: URL, _ path: String) throws(StorageError) -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      throw .system("read", path, number: SystemError(foundation: error)?.number ?? EIO)
    }
  }
}
