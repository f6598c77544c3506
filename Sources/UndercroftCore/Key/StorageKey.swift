/// A typed key: the name of a value, its type, its kind and its default.
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
/// Every key has a default. If a value may be absent, use an optional
/// type, whose default is `nil`. Saving `nil` removes the stored value.
public struct StorageKey<Value: Codable & Sendable>: Sendable {
  /// The name under which the value is stored.
  public let name: String

  /// Whether the name is known to be valid without normalisation.
  ///
  /// The initializer determines the value once, so that reads need not check the name again.
  @usableFromInline
  let isPlain: Bool

  /// The kind of the value, which determines the backend that stores the value.
  public let kind: DataKind

  /// The codec of this key, or `nil` for the codec that the storage uses for the kind.
  public let codec: (any Codec)?

  /// The value that is returned if no value is stored.
  public let defaultValue: Value

  /// Creates a key with a default value.
  public init(
    _ name: String, kind: DataKind, default defaultValue: Value, as codec: (any Codec)? = nil
  ) {
    self.name = name
    isPlain = Name.isPlain(name)
    self.kind = kind
    self.defaultValue = defaultValue
    self.codec = codec
  }

  /// Creates a key whose default value is `nil`.
  public init(_ name: String, kind: DataKind, as codec: (any Codec)? = nil)
  where Value: ExpressibleByNilLiteral {
    self.init(name, kind: kind, default: nil, as: codec)
  }
}
