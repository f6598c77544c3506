/// A kind of data: what a storage routes to a backend.
///
/// Seven kinds are given; an application adds its own as static members. Kinds are told apart by name alone.
public struct DataKind: Sendable {
  /// The name, such as "preference"; also the prefix of names where kinds share a backend.
  public let name: String

  /// What a backend must promise to be routed this kind.
  public let needs: Capabilities

  /// The size in bytes that one encoded value may have, or `nil` for no bound.
  public let maximumValueSize: Int?

  /// Makes a kind, whose name is brought into normal form C.
  public init(_ name: String, needs: Capabilities = [], maximumValueSize: Int? = nil) {
    self.name = Name.normal(name)
    self.needs = needs
    self.maximumValueSize = maximumValueSize
  }

  /// Returns the same kind with another bound, in bytes, for one encoded value.
  public func limited(to maximumValueSize: Int?) -> DataKind {
    DataKind(name, needs: needs, maximumValueSize: maximumValueSize)
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
  /// Small settings, weakly tied to the business; one value is at most 64 KiB.
  public static let preference = DataKind(
    "preference", needs: .atomicBatches, maximumValueSize: 64 * 1024)
  /// Passwords, tokens, the user's identity.
  public static let secret = DataKind("secret", needs: .confidential)
  /// Structured data looked up by name.
  public static let document = DataKind("document")
  /// Large, seldom used data; object graphs.
  public static let archive = DataKind("archive")
  /// Images, media, downloads: written and read in chunks.
  public static let blob = DataKind("blob", needs: .streaming)
  /// What can be made again.
  public static let cache = DataKind("cache")
  /// Rows with state and category, to be queried.
  public static let record = DataKind("record", needs: .relational)

  /// The kinds given by the toolkit.
  public static let all: [DataKind] = [
    .preference, .secret, .document, .archive, .blob, .cache, .record,
  ]
}
