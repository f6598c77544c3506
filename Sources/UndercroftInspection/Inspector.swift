public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Opens whatever a path leads to: an application's home, a store's folder, a single file.
public struct Inspector: Sendable {
  private let openers: [StoreOpener]
  private let credentials: InspectionCredentials

  /// Makes an inspector that knows the given formats.
  public init(_ openers: [StoreOpener], credentials: InspectionCredentials = .init()) {
    self.openers = openers
    self.credentials = credentials
  }

  /// Returns the stores at `url`: all that a manifest names, or the one that is there.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` when nothing is there or nothing is known of it.
  public func stores(at url: URL) throws(StorageError) -> [FoundStore] {
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else {
      throw StorageError(
        .unavailable, "cannot open \(quoted(path)): there is nothing there", cure: "check the path")
    }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw StorageError(
        .accessDenied, "cannot open \(quoted(path)): it may not be read",
        cure: "check owner and mode of the file and of its folders")
    }
    let place = url.appending(path: StorageManifest.fileName)
    let manifestPath = place.path(percentEncoded: false)
    if FileManager.default.fileExists(atPath: manifestPath) {
      let manifest = try StorageManifest(decoding: try Self.read(place), from: manifestPath)
      return manifest.routes.map { found($0, in: url) }
    }
    guard let opener = openers.first(where: { $0.recognises(url) }) else {
      throw StorageError(
        .unavailable, "cannot open \(quoted(path)): it is no store of a known format",
        cure:
          "give an application's home, or a store of: \(openers.map(\.scheme).joined(separator: ", "))"
      )
    }
    return [
      FoundStore(
        kind: nil, scheme: opener.scheme, url: url, codec: nil, prefix: "", isConfidential: false,
        opener: opener, credentials: credentials)
    ]
  }

  private func found(_ route: StorageManifest.Route, in home: URL) -> FoundStore {
    FoundStore(
      kind: route.kind, scheme: route.backend, url: route.url(in: home), codec: route.codec,
      prefix: route.prefix, isConfidential: route.isConfidential,
      opener: openers.first { $0.scheme == route.backend }, credentials: credentials)
  }

  private static func read(_ url: URL) throws(StorageError) -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      throw StorageError(
        .accessDenied, "cannot read \(quoted(url.path(percentEncoded: false)))",
        cure: "check the permissions of the file", underlying: error)
    }
  }
}
