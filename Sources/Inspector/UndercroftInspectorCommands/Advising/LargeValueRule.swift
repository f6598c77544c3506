import UndercroftInspection

/// A rule that recognises values that are too large for a store that is read as a whole.
struct LargeValueRule: AdviceRule {
  /// The size in bytes from which a value is better stored in a file of its own.
  private static let limit = 100_000
  /// The backends that read or write all values together.
  private static let wholeStores = ["settings", "gdbm", "singleFile", "vault"]
  private static let maximumCount = 20

  func advice(about store: AdvisedStore) throws -> [Advice] {
    guard Self.wholeStores.contains(store.discovered.scheme) else { return [] }
    var found: [Advice] = []
    try store.forEachValue { name, byteCount in
      guard byteCount >= Self.limit, found.count < Self.maximumCount else { return }
      found.append(
        Advice(
          rule: "large-value", store: store.name, subject: name,
          reason: """
            the value has \(ByteText.readable(byteCount)), and the backend \
            \(store.discovered.scheme) holds all values in memory
            """,
          fix: "store the value in a kind with the backend `files`, such as `DataKind.blob`"))
    }
    return found
  }
}
