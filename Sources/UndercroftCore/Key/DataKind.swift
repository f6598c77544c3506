/// A kind of data, which a storage routes to a backend.
///
/// There are seven predefined kinds, and an application can define others as static members.
///
/// Two kinds with the same name are equal, even if their required capabilities or
/// maximum sizes differ. A key of the kind `preference` therefore uses the backend
/// that was chosen with `use(_, for: .preference.withMaximumValueSize(nil))`. The
/// maximum size of the kind that was passed to `use` applies.
public struct DataKind: Sendable {
  /// The name of the kind, such as "preference".
  ///
  /// If several kinds share a backend, the name of a
  /// kind is also the prefix of the names of its values.
  public let name: String

  /// The capabilities that a backend must have for this kind.
  public let requiredCapabilities: Capabilities

  /// The maximum size of one encoded value in bytes, or `nil` if there is no limit.
  public let maximumValueSize: Int?

  /// Creates a kind; its name is converted to Unicode normalisation form C.
  public init(_ name: String, requiredCapabilities: Capabilities = [], maximumValueSize: Int? = nil)
  {
    self.name = Name.normal(name)
    self.requiredCapabilities = requiredCapabilities
    self.maximumValueSize = maximumValueSize
  }

  /// Returns the same kind with another maximum size, in bytes, for one encoded value.
  public func withMaximumValueSize(_ maximumValueSize: Int?) -> DataKind {
    DataKind(name, requiredCapabilities: requiredCapabilities, maximumValueSize: maximumValueSize)
  }
}

extension DataKind: Hashable {
  public static func == (left: DataKind, right: DataKind) -> Bool { left.name == right.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension DataKind: CustomStringConvertible {
  public var description: String { ".\(name)" }
}

extension DataKind {
  /// Small settings, such as a theme or a sort order; one value has at most 64 KiB.
  public static let preference = DataKind(
    "preference", requiredCapabilities: .atomicBatches, maximumValueSize: 64 * 1024)
  /// Passwords, tokens and the user's identity.
  public static let secret = DataKind("secret", requiredCapabilities: .confidential)
  /// Structured data that is accessed by name.
  public static let document = DataKind("document")
  /// Large data that is rarely used, such as object graphs.
  public static let archive = DataKind("archive")
  /// Images, media and downloads, which are written and read in chunks.
  public static let blob = DataKind("blob", requiredCapabilities: .streaming)
  /// Values that can be recreated.
  public static let cache = DataKind("cache")
  /// Rows that are queried, such as by state and category.
  public static let record = DataKind("record", requiredCapabilities: .relational)

  /// The predefined kinds.
  public static let standardKinds: [DataKind] = [
    .preference, .secret, .document, .archive, .blob, .cache, .record,
  ]
}
