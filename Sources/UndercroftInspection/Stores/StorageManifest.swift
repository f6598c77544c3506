public import UndercroftCore
public import UndercroftFoundation

/// The manifest that a storage writes into its home directory, so that tools can find the stores of
/// an application.
///
/// The module `Undercroft` writes manifests, and the inspector reads them.
public struct StorageManifest: Codable, Sendable, Equatable {
  /// The name of the manifest file in a home directory.
  public static let fileName = "undercroft.json"
  private static let currentVersion = 1

  /// The version of the manifest's format.
  public let version: Int
  /// The name of the application, or `nil` if the storage was created without a name.
  public let application: String?
  /// One route for each kind whose store is on disk, sorted by kind.
  public let routes: [Route]

  private enum CodingKeys: String, CodingKey {
    case version = "version"
    case application = "application"
    case routes = "routes"
  }

  /// The location and properties of the store of one kind of data.
  public struct Route: Codable, Sendable, Equatable {
    /// The name of the kind of data, such as "preference", as in `DataKind.name`.
    public let kind: String
    /// The scheme of the backend that opens the store, such as "sqlite".
    public let backend: String
    /// The path of the store, relative to the home directory if the store is inside that directory.
    public let path: String
    /// The name of the codec that encodes the values of the kind.
    public let codec: String
    /// The prefix that every name of this kind has in the store.
    public let prefix: String
    /// Whether tools hide values unless the user asks for them.
    public let isConfidential: Bool
    /// Whether a layer encrypts names and values before the store receives them; `nil` means no.
    public let isEncrypted: Bool?

    private enum CodingKeys: String, CodingKey {
      case kind = "kind"
      case backend = "backend"
      case path = "path"
      case codec = "codec"
      case prefix = "prefix"
      case isConfidential = "isConfidential"
      case isEncrypted = "isSealed"
    }

    /// Returns the location of the store, for a manifest in the directory `home`.
    public func url(in home: URL) -> URL {
      path.utf8.first == UInt8(ascii: "/") ? URL(filePath: path) : home.appending(path: path)
    }
  }

  /// Creates a manifest of the routes whose stores are on disk.
  public init(application: String?, home: URL, _ routes: [RouteDescription]) {
    let base = Self.path(of: home) + "/"
    version = Self.currentVersion
    self.application = application
    self.routes = routes.compactMap { route in
      guard let address = route.address else { return nil }
      let path = Self.path(of: address.url)
      return Route(
        kind: route.kind, backend: address.scheme,
        // Compares UTF-8 bytes, because a folder may differ from the home only in the encoding of
        // an accent.
        path: path.utf8.starts(with: base.utf8)
          ? String(decoding: path.utf8.dropFirst(base.utf8.count), as: UTF8.self) : path,
        codec: route.codec, prefix: route.prefix, isConfidential: route.isConfidential,
        isEncrypted: route.isEncrypted ? true : nil)
    }
  }

  private static func path(of url: URL) -> String {
    let path = url.absoluteURL.standardizedFileURL.path(percentEncoded: false)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The content of the manifest file as JSON; equal manifests have equal content.
  public var encoded: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }

  /// Decodes a manifest from the content of its file.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - path: the path of the file, for error messages only; it is not read.
  /// - Throws: ``StorageError/Code/corrupted`` if the bytes are not a valid manifest, and
  ///   ``StorageError/Code/notSupported`` if a later version of the toolkit has written them.
  public init(decoding bytes: Data, from path: String) throws(StorageError) {
    struct Version: Decodable {
      let version: Int

      enum CodingKeys: String, CodingKey {
        case version = "version"
      }
    }
    let version = try Self.decode(Version.self, from: bytes, path).version
    guard version >= 1 else {
      throw StorageError(
        .corrupted,
        """
        cannot read \(quoted(path)): the manifest has the format version \(version), but the \
        lowest valid version is 1
        """,
        suggestion: Self.removalSuggestion)
    }
    guard version <= Self.currentVersion else {
      throw StorageError(
        .notSupported,
        """
        cannot read \(quoted(path)): the manifest has the format version \(version), and this \
        version of Undercroft supports only the format version \(Self.currentVersion)
        """,
        suggestion: "use the version of Undercroft that wrote the manifest")
    }
    self = try Self.decode(StorageManifest.self, from: bytes, path)
  }

  /// The suggestion of each error about a manifest that cannot be read.
  static let removalSuggestion = """
    remove the file, and restart the application that owns the manifest; the application writes a \
    new manifest before it opens a store
    """

  private static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: Data, _ path: String
  ) throws(StorageError) -> Value {
    do {
      return try JSONCodec().decode(type, from: bytes)
    } catch {
      throw StorageError(
        .corrupted, "cannot read \(quoted(path)): the content is not the JSON of a manifest",
        suggestion: removalSuggestion, underlying: error)
    }
  }
}
