/// Why a value could not be encoded or decoded: the kind of failure and its place, and never the value.
///
/// Foundation's own errors quote the value that does not fit, so they are not passed on.
public struct CodingFailure: Error, Sendable, Hashable {
  /// What is wrong at the place.
  public enum Kind: String, Sendable {
    /// A field that is needed is not there.
    case missing
    /// There is a null where a value is needed.
    case null
    /// The value has another type.
    case wrongType
    /// The value cannot be read, or the bytes are not in the format.
    case invalid
    /// The value has no form in the format.
    case unencodable
    /// The codec, or the type itself, has thrown an error of its own.
    case other
  }

  /// What is wrong.
  public let kind: Kind

  /// The way to the place, from the outermost field; `…` stands for the key of a dictionary, which is part of the value.
  public let codingPath: [String]

  /// The type that was expected at the place, or the type of the error that was thrown.
  public let type: String?

  /// Keeps of an error what does not come from the value.
  package init(_ error: any Error) {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      self.init(.missing, context.codingPath + [key])
    case DecodingError.valueNotFound(let type, let context):
      self.init(.null, context.codingPath, "\(type)")
    case DecodingError.typeMismatch(let type, let context):
      self.init(.wrongType, context.codingPath, "\(type)")
    case DecodingError.dataCorrupted(let context): self.init(.invalid, context.codingPath)
    case EncodingError.invalidValue(_, let context): self.init(.unencodable, context.codingPath)
    case let failure as CodingFailure: self = failure
    default: self.init(.other, [], "\(Swift.type(of: error))")
    }
  }

  private init(_ kind: Kind, _ path: [any CodingKey], _ type: String? = nil) {
    self.kind = kind
    self.codingPath = path.map(Self.step)
    self.type = type
  }

  /// A field that the program names, or a place in an array.
  private static func step(_ key: any CodingKey) -> String {
    if let place = key.intValue, key.stringValue == "Index \(place)" { return "\(place)" }
    let isField =
      Mirror(reflecting: key).displayStyle == .enum && !"\(Swift.type(of: key))".hasPrefix("_")
    return isField ? key.stringValue : "…"
  }
}

extension CodingFailure: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .missing: "\(place) is missing"
    case .null: "\(place) is null where \(type ?? "a value") is expected"
    case .wrongType: "\(place) is no \(type ?? "such value")"
    case .invalid:
      codingPath.isEmpty ? "the bytes are not in this format" : "\(place) cannot be read"
    case .unencodable: "\(place) has no form in this format"
    case .other: type ?? "an error of the codec"
    }
  }

  private var place: String {
    codingPath.isEmpty
      ? "the value" : "its field \(quoted(codingPath.joined(separator: ".")))"
  }
}
