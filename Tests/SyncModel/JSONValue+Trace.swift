import UndercroftCore
import UndercroftFoundation
import UndercroftSync

extension JSONValue {
  /// The member with a name, or `null` if there is none.
  subscript(name: String) -> JSONValue {
    if case .object(let members) = self { members[ExactString(name)] ?? .null } else { .null }
  }

  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var text: String { if case .string(let text) = self { text } else { "" } }

  /// The value of a number, or of a string of digits.
  var integer: Int64 {
    switch self {
    case .integer(let number): number
    case .string(let digits): Int64(digits) ?? 0
    default: 0
    }
  }

  var isNull: Bool { self == .null }

  /// The value as JSON.
  var shown: String { String(decoding: JSONWriter.data(self), as: UTF8.self) }

  /// Returns a number as a string of digits, as in a trace.
  static func digits(_ number: Int64) -> JSONValue { .string("\(number)") }

  /// Returns an object with members.
  static func members(_ members: [String: JSONValue]) -> JSONValue {
    .object(Dictionary(uniqueKeysWithValues: members.map { (ExactString($0.key), $0.value) }))
  }

  /// Returns the values of columns, as in a trace.
  static func values(_ fields: FieldValues) -> JSONValue { .object(fields.mapValues(\.traced)) }
}

extension SyncValue {
  /// The value as in a trace, which contains only integers, texts and NULL.
  var traced: JSONValue {
    switch self {
    case .null: .null
    case .integer(let integer): .array([.string("i"), .digits(integer)])
    case .text(let text): .string(text)
    default: .string("\(self)")
    }
  }
}
