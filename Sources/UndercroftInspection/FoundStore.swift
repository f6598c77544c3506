public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store that was found, and the part of it that belongs to one kind.
public struct FoundStore: Sendable {
  /// The kind, where a manifest says it.
  public let kind: String?
  /// The backend's short name.
  public let scheme: String
  /// Where the store is.
  public let url: URL
  /// The name of the codec, where a manifest says it.
  public let codec: String?
  let prefix: String
  /// Whether the manifest says that values must not be shown unasked.
  public let isConfidential: Bool
  let opener: StoreOpener?
  let credentials: InspectionCredentials

  /// Whether the application has made the store yet; routes are opened at first use.
  ///
  /// A store that may not be looked for is not said to be missing.
  public var exists: Bool { FileLook(url) != .absent }

  /// Opens the store, changing nothing.
  public func open() throws(StorageError) -> OpenedStore {
    guard let opener else {
      throw StorageError(
        .notSupported,
        "cannot open \(quoted(url.path(percentEncoded: false))): no opener for \(quoted(scheme))",
        cure: "use a tool that was built with this backend")
    }
    try check()
    let store = try opener.open(url, credentials)
    let report = try store.inspect()
    return OpenedStore(
      store: store, report: report, prefix: prefix,
      isConfidential: isConfidential || report.isConfidential)
  }

  private func check() throws(StorageError) {
    let path = url.path(percentEncoded: false)
    switch FileLook(url) {
    case .absent:
      throw StorageError(
        .unavailable, "cannot open \(quoted(path)): the application has not made it yet")
    case .denied: throw .denied(path)
    case .other:
      throw StorageError(.corrupted, "cannot open \(quoted(path)): it is no regular file")
    case .file, .folder: return
    }
  }
}

/// An opened store, seen through the names of one kind.
public struct OpenedStore: Sendable {
  private let store: any Inspectable
  /// What can be told of the store as a whole.
  public let report: InspectionReport
  private let prefix: String
  /// Whether values are shown only when asked for by ``FoundStore``'s owner.
  public let isConfidential: Bool

  init(store: any Inspectable, report: InspectionReport, prefix: String, isConfidential: Bool) {
    self.store = store
    self.report = report
    self.prefix = prefix
    self.isConfidential = isConfidential
  }

  /// Returns the entries whose names begin with `prefix`, sorted by name.
  public func entries(withPrefix wanted: String = "") throws(StorageError) -> [InspectionEntry] {
    try store.entries(withPrefix: prefix + wanted).map { entry in
      InspectionEntry(
        name: String(decoding: entry.name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self),
        byteCount: entry.byteCount)
    }
  }

  /// Returns the bytes of one entry, or `nil` when there is none.
  public func bytes(of name: String) throws(StorageError) -> Data? {
    try store.bytes(of: prefix + name)
  }
}

extension StorageError {
  static func denied(_ path: String) -> StorageError {
    StorageError(
      .accessDenied, "cannot open \(quoted(path)): it may not be read",
      cure: "check owner and mode of the file and of its folders")
  }
}
