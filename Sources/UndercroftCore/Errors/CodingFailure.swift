/// The reason why a value could not be encoded or decoded, without the value itself.
///
/// This type replaces the errors of Foundation, which
/// contain the value that could not be encoded or decoded.
public struct CodingFailure: Error, Sendable, Hashable {
  /// The kind of a coding failure.
  public enum Kind: String, Sendable {
    /// A required field is missing.
    case missing = "missing"
    /// A null is stored for a required value.
    case null = "null"
    /// The stored value has another type than the requested type.
    case wrongType = "wrongType"
    /// The stored value is not valid for the requested type,
    /// or the bytes are not in the format of the codec.
    case invalid = "invalid"
    /// The format cannot represent the value.
    case unencodable = "unencodable"
    /// The codec or the value's type threw an error that is
    /// neither a `DecodingError` nor an `EncodingError`.
    case other = "other"
  }

  /// The kind of the failure.
  public let kind: Kind

  /// The path to the failing field, beginning with the outermost field.
  ///
  /// `…` replaces each key of a dictionary, because such a key is part of the value.
  public let codingPath: [String]

  /// The name of the expected type of the field, or of the type of the thrown error.
  ///
  /// The value is `nil` if neither type is known.
  public let type: String?

  /// The reason why a codec rejected the bytes before
  /// decoding them, or `nil` for any other failure.
  package let rejection: RejectedBytes?

  /// Creates a failure from the parts of an error that do not contain the value.
  package init(_ error: any Error) {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      self.init(.missing, context.codingPath + [key])
    case DecodingError.valueNotFound(let type, let context):
      self.init(.null, context.codingPath, "\(type)")
    case DecodingError.typeMismatch(let type, let context):
      self.init(.wrongType, context.codingPath, "\(type)")
    case DecodingError.dataCorrupted(let context):
      self.init(.invalid, context.codingPath, rejection: RejectedBytes(context.underlyingError))
    case EncodingError.invalidValue(_, let context): self.init(.unencodable, context.codingPath)
    case let failure as CodingFailure: self = failure
    default: self.init(.other, [], "\(Swift.type(of: error))")
    }
  }

  private init(
    _ kind: Kind, _ path: [any CodingKey], _ type: String? = nil, rejection: RejectedBytes? = nil
  ) {
    self.kind = kind
    self.codingPath = path.map(Self.step)
    self.type = type
    self.rejection = rejection
  }

  /// Returns the name of a field or the index of an array
  /// element, or `…` for the key of a dictionary.
  private static func step(_ key: any CodingKey) -> String {
    if let index = key.intValue, key.stringValue == "Index \(index)" { return "\(index)" }
    let isField =
      Mirror(reflecting: key).displayStyle == .enum && !"\(Swift.type(of: key))".hasPrefix("_")
    return isField ? key.stringValue : "…"
  }
}

extension CodingFailure: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .missing: "\(subject) is missing"
    case .null: "\(subject) is null, and the type requires \(type ?? "a value")"
    case .wrongType: "\(subject) does not have the type \(type ?? "that was requested")"
    case .invalid:
      rejection?.reason
        ?? (codingPath.isEmpty
          ? "the bytes are not in the format of the codec, or are not valid for the type"
          : "\(subject) is not valid for the type of the property")
    case .unencodable: "\(subject) cannot be represented in the format of the codec"
    case .other: "the codec or a Codable conformance threw an error of the type \(type ?? "Error")"
    }
  }

  private var subject: String {
    codingPath.isEmpty
      ? "the value" : "the field \(quoted(codingPath.joined(separator: ".")))"
  }
}
