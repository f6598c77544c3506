import Foundation
import UndercroftInspection

/// A rule that recognises caches that grow without a limit.
///
/// Neither manifests nor stores record a limit of the size or the age of all values together, so a
/// cache is judged by its size and by the age of its files.
struct CacheLimitRule: AdviceRule {
  static let names = ["unlimited-cache"]
  /// The size in bytes from which a cache is large.
  private static let largeSize = 256 << 20
  /// The age in days from which a value of a cache is old.
  private static let oldAge = 90.0
  /// The total size in bytes of old values from which advice is given.
  private static let minimumOldSize = 1 << 20

  func advice(about store: AdvisedStore) throws -> [Advice] {
    guard isCache(store) else { return [] }
    let files = store.files.filter(\.isRegular)
    let bytes = files.reduce(0) { $0.addingReportingOverflow($1.byteCount).partialValue }
    let limit = Date.now.addingTimeInterval(-Self.oldAge * 86_400)
    let old = files.filter { $0.modified < limit }
    let oldBytes = old.reduce(0) { $0.addingReportingOverflow($1.byteCount).partialValue }
    guard bytes >= Self.largeSize || oldBytes >= Self.minimumOldSize else { return [] }
    let size = "the cache has \(ByteText.readable(bytes)) in \(files.count) files"
    let age =
      old.isEmpty
      ? ""
      : ", \(ByteText.readable(oldBytes)) of which were not written for \(Int(Self.oldAge)) days"
    return [
      Advice(
        rule: "unlimited-cache", store: store.name, subject: store.discovered.path,
        count: files.count, reason: "\(size)\(age), so nothing limits its growth",
        fix: """
          remove old values with undercroft rm; in the program, at launch: \
          for name in try storage.names(of: .\(store.name)) { … }, or all of them: \
          try storage.removeAll(of: .\(store.name))
          """)
    ]
  }

  /// Returns whether the name of the kind or of a folder of the path is that of a cache.
  private func isCache(_ store: AdvisedStore) -> Bool {
    if let kind = store.discovered.kind { return kind.lowercased().contains("cache") }
    return store.discovered.path.split(separator: "/").suffix(2)
      .contains { ["cache", "caches", ".cache"].contains($0.lowercased()) }
  }
}
