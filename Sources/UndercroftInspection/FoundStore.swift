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
  /// Whether the application sealed names and values before the store got them: no tool can show them.
  public let isSealed: Bool
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
    if isSealed { return try OpenedStore(sealed: store, path: url.path(percentEncoded: false)) }
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

extension StorageError {
  static func denied(_ path: String) -> StorageError {
    StorageError(
      .accessDenied, "cannot open \(quoted(path)): it may not be read",
      cure: "check owner and mode of the file and of its folders")
  }
}
