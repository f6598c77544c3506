import UndercroftCore
import UndercroftInspection

/// A rule that recognises values that are too large for a store that is read as a whole.
struct LargeValueRule: AdviceRule {
  static let names = ["large-value"]
  /// The size in bytes above which a value is better stored in a file of its own.
  private static let limit = 100_000
  /// The maximum number of values of each store that the advice names.
  private static let maximumCount = 20

  func advice(about store: AdvisedStore) throws -> [Advice] {
    guard store.opened.report.isReadAsWhole else { return [] }
    let limit = Self.maximumByteCount(of: store)
    var found: [Advice] = []
    try store.forEachValue { name, byteCount in
      guard byteCount > limit, found.count < Self.maximumCount else { return }
      found.append(
        Advice(
          rule: "large-value", store: store.name, subject: name, count: 1,
          reason: """
            the value has \(ByteText.readable(byteCount)), and opening the store reads all values \
            into memory
            """,
          fix: store.opened.isConfidential ? Self.confidentialFix : Self.fix))
    }
    return found
  }

  /// Returns the size above which a value of a store is large.
  ///
  /// Applications cannot save a preference that is larger than its kind allows.
  private static func maximumByteCount(of store: AdvisedStore) -> Int {
    let preference = DataKind.preference
    guard store.discovered.kind == preference.name else { return limit }
    return preference.maximumValueSize ?? limit
  }

  private static let fix = """
    report the size to the developer; in the program: \
    try storage.use(.files(in: home.appending(path: "blobs")), for: .blob, as: .bytes), \
    and save the value with a key of the kind .blob
    """

  private static let confidentialFix = """
    report the size to the developer; in the program: \
    let letter = DataKind("letter", requiredCapabilities: .confidential), \
    try storage.use(.files(in: home.appending(path: "letters")).encrypted(with: .keyFile(file)), \
    for: letter), and save the value with a key of this kind
    """
}
