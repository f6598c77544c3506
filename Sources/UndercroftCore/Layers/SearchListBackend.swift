#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Looks for a name in several backends, first to last, and writes to one of them.
///
/// The order of `UserDefaults`: volatile arguments, then the application's own values, then registered defaults.
public struct SearchListBackend: LayeredBackend {
  private let overrides: [any StorageBackend]
  private let primary: any StorageBackend
  private let fallbacks: [any StorageBackend]

  /// Makes a search list.
  ///
  /// - Parameters:
  ///   - overrides: read before `primary`, never written, such as values from the command line.
  ///   - primary: the backend that is written; what it promises, the list promises.
  ///   - fallbacks: read after `primary`, never written, such as registered defaults.
  public init(
    overrides: [any StorageBackend] = [], primary: any StorageBackend,
    fallbacks: [any StorageBackend] = []
  ) {
    self.overrides = overrides
    self.primary = primary
    self.fallbacks = fallbacks
  }

  public var name: String { primary.name }
  public var location: URL? { primary.location }
  public var capabilities: Capabilities {
    primary.capabilities.subtracting([.streaming, .relational, .inspectable])
      .union(.orderedKeys)
  }

  public var upstreams: [any StorageBackend] { overrides + [primary] + fallbacks }

  public func read(_ key: String) throws(StorageError) -> Data? {
    for backend in upstreams {
      if let bytes = try backend.read(key) { return bytes }
    }
    return nil
  }

  public func apply(_ changes: [Change]) throws(StorageError) { try primary.apply(changes) }

  /// Overrides and fallbacks are never written through the list, so their writers need not wait for its edits.
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    try primary.withExclusiveAccessIfShared(body)
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    var names: Set<String> = []
    for backend in upstreams { names.formUnion(try backend.keys(withPrefix: prefix)) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension BackendChoice {
  /// Returns this choice behind `overrides` and before `fallbacks`, neither of which is ever written.
  public func searching(
    overrides: [any StorageBackend] = [], fallbacks: [any StorageBackend] = []
  ) -> BackendChoice {
    layered(losing: [.streaming, .relational, .inspectable], gaining: .orderedKeys) {
      SearchListBackend(overrides: overrides, primary: $0, fallbacks: fallbacks)
    }
  }
}
