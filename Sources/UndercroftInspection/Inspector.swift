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
  private static let largestManifest = 1 << 20

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
    switch FileLook(url) {
    case .absent:
      throw StorageError(
        .unavailable, "cannot open \(quoted(path)): there is nothing there", cure: "check the path")
    case .denied: throw .denied(path)
    case .folder:
      if let manifest = try manifest(in: url) { return manifest.routes.map { found($0, in: url) } }
    case .file, .other: break
    }
    // One reader for all: what is there may be a database that this process has open.
    let candidate = StoreCandidate(at: url, readingBy: openers.lazy.compactMap(\.reader).first)
    guard let opener = openers.first(where: { $0.recognises(candidate) }) else {
      throw StorageError(
        .unavailable, "cannot open \(quoted(path)): it is no store of a known format",
        cure:
          "give an application's home, or a store of: \(openers.map(\.scheme).joined(separator: ", "))"
      )
    }
    return [
      FoundStore(
        kind: nil, scheme: opener.scheme, url: url, codec: nil, prefix: "", isConfidential: false,
        isSealed: false, opener: opener, credentials: credentials)
    ]
  }

  private func found(_ route: StorageManifest.Route, in home: URL) -> FoundStore {
    FoundStore(
      kind: route.kind, scheme: route.backend, url: route.url(in: home), codec: route.codec,
      prefix: route.prefix, isConfidential: route.isConfidential, isSealed: route.isSealed ?? false,
      opener: openers.first { $0.scheme == route.backend }, credentials: credentials)
  }

  private func manifest(in home: URL) throws(StorageError) -> StorageManifest? {
    let url = home.appending(path: StorageManifest.fileName)
    let path = url.path(percentEncoded: false)
    switch FileLook(url) {
    case .absent: return nil
    case .denied: throw .denied(path)
    case .file(let size) where size <= Self.largestManifest:
      guard let bytes = try? Data(contentsOf: url) else { throw .denied(path) }
      return try StorageManifest(decoding: bytes, from: path)
    case .file, .folder, .other:
      throw StorageError(.corrupted, "cannot read \(quoted(path)): it is no manifest")
    }
  }
}
