#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a storage writes into its home, so that tools can open an application by its directory.
///
/// Lives in the core because the umbrella writes it and the inspector, which knows no backend, reads it.
public struct StorageManifest: Codable, Sendable, Equatable {
  /// The name of the file in a home.
  public static let fileName = "undercroft.json"
  private static let currentVersion = 1

  /// The version of the manifest's own format.
  public let version: Int
  /// The application, where the storage was made for one.
  public let application: String?
  /// One for each kind whose store is on disk, sorted by kind.
  public let routes: [Route]

  /// Where one kind of data is.
  public struct Route: Codable, Sendable, Equatable {
    /// The name of the kind.
    public let kind: String
    /// The scheme that finds the opener.
    public let backend: String
    /// The path of the store, relative to the home if it is inside.
    public let path: String
    /// The name of the codec.
    public let codec: String
    /// What stands before every name of this kind.
    public let prefix: String
    /// Whether values must not be shown unasked.
    public let isConfidential: Bool
    /// Whether a layer sealed names and values before they came into the store; missing where none did.
    public let isSealed: Bool?

    /// Returns where the store is, for a manifest found in `home`.
    public func url(in home: URL) -> URL {
      path.utf8.first == UInt8(ascii: "/") ? URL(filePath: path) : home.appending(path: path)
    }
  }

  /// Describes the routes of a storage; those in memory are left out.
  public init(application: String?, home: URL, _ routes: [RouteDescription]) {
    let base = Self.path(of: home) + "/"
    version = Self.currentVersion
    self.application = application
    self.routes = routes.compactMap { route in
      guard let address = route.address else { return nil }
      let path = Self.path(of: address.url)
      return Route(
        kind: route.kind, backend: address.scheme,
        // Not by characters: a folder may differ from the home in the spelling of an accent.
        path: path.utf8.starts(with: base.utf8)
          ? String(decoding: path.utf8.dropFirst(base.utf8.count), as: UTF8.self) : path,
        codec: route.codec, prefix: route.prefix, isConfidential: route.isConfidential,
        isSealed: route.isSealed ? true : nil)
    }
  }

  private static func path(of url: URL) -> String {
    let path = url.absoluteURL.standardizedFileURL.path(percentEncoded: false)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The bytes of the file: JSON, the same for the same routes.
  public var encoded: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }

  /// Reads a manifest.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` when the bytes are no manifest, ``StorageError/Code/notSupported`` when
  ///   a later version has written them.
  public init(decoding bytes: Data, from path: String) throws(StorageError) {
    struct Version: Decodable { let version: Int }
    do {
      let version = try JSONCodec().decode(Version.self, from: bytes).version
      guard version >= 1 else { throw StorageError(.corrupted, "there is no version \(version)") }
      guard version <= Self.currentVersion else {
        throw StorageError(
          .notSupported, "cannot read \(quoted(path)): it has version \(version)",
          cure: "use the version of the toolkit that wrote it")
      }
      self = try JSONCodec().decode(StorageManifest.self, from: bytes)
    } catch let error as StorageError where error.code == .notSupported {
      throw error
    } catch {
      throw StorageError(
        .corrupted, "cannot read \(quoted(path)): it is no manifest",
        cure: "remove it: the application writes it anew when it next opens its storage",
        underlying: error)
    }
  }
}
