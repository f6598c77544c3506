public import UndercroftCore
public import UndercroftFoundation

/// A value in the result of an inspection, which every output format can represent.
public enum ResultValue: Sendable, Equatable {
  /// No value: JSON omits the member, and a table shows a dash.
  case absent
  /// The SQL value NULL.
  case null
  /// A truth value.
  case boolean(Bool)
  /// A 64-bit signed integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// Text in valid UTF-8.
  case text(String)
  /// Bytes that are not text.
  case bytes(Data)
  /// Several values in their order.
  case list([ResultValue])
  /// Named values, which all formats sort by name.
  case object([ExactString: ResultValue])

  /// Creates a result value from a value of a row.
  public init(_ value: InspectedValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .bytes(let bytes): .bytes(bytes)
      }
  }

  /// Creates a text, or ``absent`` if there is none.
  public init(_ text: String?) { self = text.map { .text($0) } ?? .absent }

  /// Creates an integer, or ``absent`` if there is none.
  public init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .absent }
}

extension ResultValue {
  /// Whether the value is a number, which tables align to the right.
  package var isNumber: Bool {
    switch self {
    case .integer, .real: true
    default: false
    }
  }

  /// The value as one line of text, in which characters that control a terminal are escaped.
  ///
  /// A blob is shortened to 16 bytes. NULL is a middle dot, which differs from an empty text.
  package var brief: String {
    switch self {
    case .absent: "-"
    case .null: "·"
    case .boolean(let value): value ? "yes" : "no"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): Self.shortened(text)
    case .bytes(let bytes): ValueText.brief(bytes)
    case .list(let values): values.map(\.brief).joined(separator: ", ")
    case .object(let members):
      members.sorted { $0.key < $1.key }
        .map { "\(ValueText.safe($0.key.text)): \($0.value.brief)" }.joined(separator: ", ")
    }
  }

  /// Returns a text on one line, and only the beginning of a very long one.
  private static func shortened(_ text: String) -> String {
    let size = text.utf8.count
    return ValueText.safe(
      size > ShortenedText.maximumSize ? ShortenedText.text(text, ofSize: size) : text)
  }

  /// The value as complete text without escapes, for formats whose fields programs read.
  ///
  /// Bytes are hexadecimal digits. `absent` and NULL are empty. Lists and objects are JSON.
  package var field: String {
    switch self {
    case .absent, .null: ""
    case .boolean(let value): "\(value)"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .bytes(let bytes): ValueText.hexadecimal(bytes)
    case .list, .object: json
    }
  }
}
