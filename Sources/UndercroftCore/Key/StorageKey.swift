/// Says which value, of which type, of which kind.
///
/// Declare the keys of an application once, as static members:
///
/// ```swift
/// extension StorageKey<Theme> {
///   static var theme: Self { Self("theme", kind: .preference, default: .system) }
/// }
/// extension StorageKey<Draft?> {
///   static func draft(_ id: UUID) -> Self { Self("draft/\(id)", kind: .document) }
/// }
/// ```
///
/// A key always has a default. Where absence is an answer the value is optional and the default `nil`;
/// saving `nil` removes.
public struct StorageKey<Value: Codable & Sendable>: Sendable {
  /// The name under which the value is kept.
  public let name: String

  /// Whether the name needs no look before it is used: found out once, not at every read.
  @usableFromInline
  let isPlain: Bool

  /// The kind, which finds the backend.
  public let kind: DataKind

  /// The codec of this key, or `nil` for the route's.
  public let codec: (any Codec)?

  /// What is read when nothing is kept.
  public let defaultValue: Value

  /// Makes a key with a default.
  public init(
    _ name: String, kind: DataKind, default defaultValue: Value, as codec: (any Codec)? = nil
  ) {
    self.name = name
    isPlain = Name.isPlain(name)
    self.kind = kind
    self.defaultValue = defaultValue
    self.codec = codec
  }

  /// Makes a key whose default is `nil`.
  public init(_ name: String, kind: DataKind, as codec: (any Codec)? = nil)
  where Value: ExpressibleByNilLiteral {
    self.init(name, kind: kind, default: nil, as: codec)
  }
}
